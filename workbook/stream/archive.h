#pragma once
// An archive: values as bytes and back, between programs of the same build. A function fields(archive, value) lists a
// type's members, for both directions:
//   template <class A> void fields(A& a, axis& x) { a(x.label, x.unit, x.log, x.min, x.max); }

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "runtime/core/error.h"

namespace workbook {

template <class T>
inline constexpr bool is_plain = std::is_arithmetic_v<T> || std::is_enum_v<T>;

class archive_writer {
 public:
  template <class... T>
  void operator()(T&... values) {
    (write(values), ...);
  }
  const std::string& bytes() const { return bytes_; }

 private:
  void append(const void* from, std::size_t size) { bytes_.append(static_cast<const char*>(from), size); }

  template <class T>
  void write(T& v) {
    if constexpr (is_plain<T>)
      append(&v, sizeof v);
    else
      fields(*this, v);
  }
  void write(std::string& v) {
    write_size(v.size());
    append(v.data(), v.size());
  }
  template <class T>
  void write(std::vector<T>& v) {
    write_size(v.size());
    if constexpr (is_plain<T> && !std::is_same_v<T, bool>)
      append(v.data(), v.size() * sizeof(T));
    else
      for (T& element : v) write(element);
  }
  template <class T>
  void write(std::optional<T>& v) {
    bool there = v.has_value();
    write(there);
    if (there) write(*v);
  }
  template <class... T>
  void write(std::variant<T...>& v) {
    write_size(v.index());
    std::visit([this](auto& element) { write(element); }, v);
  }
  void write(std::monostate&) {}
  void write_size(std::size_t n) {
    auto size = static_cast<std::uint64_t>(n);
    append(&size, sizeof size);
  }

  std::string bytes_;
};

/// Throws gs::error where the bytes end early or hold an impossible value.
class archive_reader {
 public:
  explicit archive_reader(std::string_view bytes) : bytes_(bytes) {}

  template <class... T>
  void operator()(T&... values) {
    (read(values), ...);
  }
  /// Throws the error for what was found instead.
  [[noreturn]] static void refuse(const char* found) {
    throw gs::error("reading what a lesson's program sent", found,
                    "build the lesson again: ./gridstride run builds it");
  }

 private:
  void take(void* to, std::size_t size) {
    if (size > bytes_.size()) refuse("it ends early");
    if (size > 0) std::memcpy(to, bytes_.data(), size);
    bytes_.remove_prefix(size);
  }

  template <class T>
  void read(T& v) {
    if constexpr (std::is_same_v<T, bool>) {
      std::uint8_t byte = 0;
      take(&byte, 1);
      if (byte > 1) refuse("a truth value that is neither");
      v = byte == 1;
    } else if constexpr (is_plain<T>)
      take(&v, sizeof v);
    else
      fields(*this, v);
  }
  void read(std::string& v) {
    v.resize(read_size(1));
    take(v.data(), v.size());
  }
  template <class T>
  void read(std::vector<T>& v) {
    if constexpr (is_plain<T> && !std::is_same_v<T, bool>) {
      v.resize(read_size(sizeof(T)));
      take(v.data(), v.size() * sizeof(T));
    } else {
      v.resize(read_size(1));
      for (T& element : v) read(element);
    }
  }
  template <class T>
  void read(std::optional<T>& v) {
    bool there = false;
    read(there);
    v.reset();
    if (there) read(v.emplace());
  }
  template <class... T>
  void read(std::variant<T...>& v) {
    const std::size_t index = read_size(0);
    std::size_t k = 0;
    const bool known = ((k++ == index ? (read(v.template emplace<T>()), true) : false) || ...);
    if (!known) refuse("a kind of value that isn't known here");
  }
  void read(std::monostate&) {}
  // The number of elements, none of which takes less than `least_bytes`: a wrong one must not cost the memory.
  std::size_t read_size(std::size_t least_bytes) {
    std::uint64_t size = 0;
    take(&size, sizeof size);
    if (least_bytes > 0 && size > bytes_.size() / least_bytes) refuse("more elements than bytes");
    return static_cast<std::size_t>(size);
  }

  std::string_view bytes_;
};

}  // namespace workbook
