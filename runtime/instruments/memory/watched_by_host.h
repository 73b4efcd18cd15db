#pragma once
// watched_by_host: which accesses of the host's code the instruments want to hear of, as a question that costs two
// comparisons. It is asked before every access.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR::instruments {

class watched_by_host {
 public:
  /// Whether the address may be that of memory the device uses, or of one of its variables, while an inspection runs.
  static bool may_hold(std::uintptr_t address) {
    return is_on_.load(std::memory_order_relaxed) &&
           (address - arena_.load(std::memory_order_relaxed) < arena_bytes_.load(std::memory_order_relaxed) ||
            (address >= variables_begin_.load(std::memory_order_relaxed) &&
             address < variables_end_.load(std::memory_order_relaxed)));
  }

  static void turn(bool on) { is_on_ = on; }
  static void add_arena(std::uintptr_t base, std::size_t bytes) {
    if (base == 0) return;  // nothing was ever allocated
    arena_ = base;
    arena_bytes_ = bytes;
  }
  static void add_variable(std::uintptr_t begin, std::size_t bytes) {
    if (variables_are_shared_) return;
    variables_begin_ = std::min(variables_begin_.load(), begin);
    variables_end_ = std::max(variables_end_.load(), begin + bytes);
  }
  /// From now on code of the host may use the device's variables.
  static void share_variables() {
    variables_are_shared_ = true;
    variables_begin_ = ~std::uintptr_t{0}, variables_end_ = 0;
  }

 private:
  static inline std::atomic<bool> is_on_{false}, variables_are_shared_{false};
  static inline std::atomic<std::uintptr_t> arena_{0};
  static inline std::atomic<std::size_t> arena_bytes_{0};
  static inline std::atomic<std::uintptr_t> variables_begin_{~std::uintptr_t{0}}, variables_end_{0};
};

}  // namespace gs::inline GS_FLAVOUR::instruments
