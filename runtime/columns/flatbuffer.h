#pragma once
// flatbuffer: writes the FlatBuffers that Arrow's files describe themselves in. A buffer grows from its end to its
// beginning, so that what is referred to is written first. https://flatbuffers.dev/internals/

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR::detail {

class flatbuffer {
 public:
  /// The place of something written: its distance from the buffer's end.
  struct place {
    std::uint32_t from_end;
  };

  place text(std::string_view text) {
    align(sizeof(std::uint32_t), text.size() + 1);
    prepend("", 1);
    prepend(text.data(), text.size());
    return put(static_cast<std::uint32_t>(text.size()));
  }
  place list(const std::vector<place>& entries) {
    align(sizeof(std::uint32_t), 0);
    for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) refer_to(*entry);
    return put(static_cast<std::uint32_t>(entries.size()));
  }
  /// Structs of 64-bit numbers, all in one row.
  place structs(const std::vector<std::int64_t>& numbers, std::size_t numbers_in_each) {
    align(sizeof(std::int64_t), 0);
    prepend(numbers.data(), numbers.size() * sizeof(std::int64_t));
    return put(static_cast<std::uint32_t>(numbers.size() / numbers_in_each));
  }

  /// A table: its fields follow, by their numbers in the schema, then end_table().
  void begin_table() {
    fields_.clear();
    table_end_ = size();
  }
  template <class T>
  void field(std::size_t number, T value) {
    fields_.emplace_back(number, put(value));
  }
  void field(std::size_t number, place value) {
    align(sizeof(std::uint32_t), 0);
    refer_to(value);
    fields_.emplace_back(number, here());
  }
  place end_table() {
    std::size_t count = 0;
    for (const auto& [number, at] : fields_) count = std::max(count, number + 1);
    const auto directory_bytes = static_cast<std::int32_t>(2 * (2 + count));
    const place table = put(directory_bytes);  // the directory lies right before the table
    std::vector<std::uint16_t> directory(2 + count);
    directory[0] = static_cast<std::uint16_t>(directory_bytes);
    directory[1] = static_cast<std::uint16_t>(table.from_end - table_end_);
    for (const auto& [number, at] : fields_)
      directory[2 + number] = static_cast<std::uint16_t>(table.from_end - at.from_end);
    prepend(directory.data(), directory.size() * sizeof(std::uint16_t));
    return table;
  }

  /// The whole buffer, a multiple of 8 bytes long, with `root` as its outermost table.
  std::string finished(place root) {
    align(sizeof(std::uint64_t), sizeof(std::uint32_t));
    refer_to(root);
    return bytes_;
  }

 private:
  std::size_t size() const { return bytes_.size(); }
  place here() const { return {static_cast<std::uint32_t>(size())}; }
  void prepend(const void* data, std::size_t bytes) { bytes_.insert(0, static_cast<const char*>(data), bytes); }
  // So that what begins `following` bytes further on is a multiple of `bytes` away from the end.
  void align(std::size_t bytes, std::size_t following) {
    while ((size() + following) % bytes != 0) bytes_.insert(bytes_.begin(), '\0');
  }
  template <class T>
  place put(T value) {
    align(sizeof(T), 0);
    prepend(&value, sizeof(T));
    return here();
  }
  void refer_to(place target) { put(static_cast<std::uint32_t>(size() + sizeof(std::uint32_t) - target.from_end)); }

  std::string bytes_;
  std::vector<std::pair<std::size_t, place>> fields_;
  std::size_t table_end_ = 0;
};

}  // namespace gs::inline GS_FLAVOUR::detail
