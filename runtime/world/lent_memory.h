#pragma once
// lent_memory: memory that a message library uses until somebody waits for it. The hooks look whether the program
// touches it meanwhile: whoever comes first then, the message or the program, is a matter of chance.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

#include "runtime/core/config.h"
#include "runtime/observe/access_kind.h"

namespace gs::inline GS_FLAVOUR::instruments {

/// Loans by number; 0 is none. A loan that is only sent may be read.
class lent_memory {
 public:
  static std::uint64_t lend(const void* memory, std::size_t bytes, bool is_written);
  /// Ends the loan. "written at ring.cpp:12", the program's first access to it; empty if there was none.
  static std::string take_back(std::uint64_t loan);

  /// The hooks: whether any loan may hold the address, and an access to it.
  static bool may_hold(std::uintptr_t address) {
    return address - from_.load(std::memory_order_relaxed) < bytes_.load(std::memory_order_relaxed);
  }
  static void touch(std::uintptr_t address, std::size_t bytes, access_kind kind, const void* code);

 private:
  static inline std::atomic<std::uintptr_t> from_{0};  // of all loans together
  static inline std::atomic<std::size_t> bytes_{0};
  friend struct loans;
};

}  // namespace gs::inline GS_FLAVOUR::instruments
