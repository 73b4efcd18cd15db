#pragma once
// shared_shadow: the shadow memory of the blocks' shared memory.

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>

#include "runtime/core/config.h"
#include "runtime/instruments/memory/shadow.h"
#include "runtime/threads/shared_window.h"

namespace gs::inline GS_FLAVOUR::instruments {

class shared_shadow {
 public:
  void forget() {
    by_begin_.clear();
    last_ = nullptr;
  }
  void begin_run(std::size_t static_bytes, std::size_t dynamic_bytes) {
    static_bytes_ = static_bytes;
    dynamic_bytes_ = dynamic_bytes;
  }
  /// Whether the launch's blocks have these bytes. The struct of gs::shared lies first, behind it, at a multiple of 16
  /// bytes, what the launch has asked for.
  bool holds(std::size_t offset, std::size_t bytes) const {
    const auto lies_in = [&](std::size_t begin, std::size_t size) {
      return offset >= begin && offset - begin < size && bytes <= size - (offset - begin);
    };
    return lies_in(0, static_bytes_) || lies_in((static_bytes_ + 15) / 16 * 16, dynamic_bytes_);
  }
  /// That of the block whose shared memory begins there.
  shadow& of(std::uintptr_t begin) {
    if (!last_ || begin != last_begin_) {
      auto& mine = by_begin_[begin];
      if (!mine) mine = std::make_unique<shadow>(detail::shared_slot::bytes);
      last_begin_ = begin;
      last_ = mine.get();
    }
    return *last_;
  }

 private:
  std::map<std::uintptr_t, std::unique_ptr<shadow>> by_begin_;
  std::uintptr_t last_begin_ = 0;
  shadow* last_ = nullptr;
  std::size_t static_bytes_ = 0, dynamic_bytes_ = 0;
};

}  // namespace gs::inline GS_FLAVOUR::instruments
