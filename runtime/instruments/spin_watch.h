#pragma once
// spin_watch: sees from its accesses that a thread goes round in a loop, and reads the same each time.

#include <cstddef>
#include <cstdint>

#include "runtime/core/config.h"
#include "runtime/observe/site.h"

#if GRIDSTRIDE_CHECKED

namespace gs::inline GS_FLAVOUR::instruments {

/// Of the thread of a kernel that runs. A round begins where the thread reads what it has read before, by the same
/// code: atomically, or what is volatile, or else plainly, which takes many rounds more. It tells the engine of each
/// round (runtime/engine/spinning.h), which may let another thread run meanwhile. One that waits with plain reads is a
/// finding.
class spin_watch {
 public:
  /// That of the calling thread of the system.
  static spin_watch& here();

  /// A read of device memory that comes next, and is noted otherwise after that: another thread may run in between.
  void read(std::uintptr_t address, std::size_t bytes, const void* code, bool plain);
  void wrote() { wrote_ = true; }

 private:
  void begin(std::uint64_t reader, bool plain);
  void end_round(std::uintptr_t address, std::size_t bytes, const void* code, std::uint64_t value);

  std::uint64_t lead_ = 0;  // which read by which code begins a round
  bool plain_ = false;      // it is
  bool wrote_ = false;      // the thread, in this round
  std::uint64_t seen_ = 0;  // in this round
  std::uint64_t seen_before_ = 0;
  std::uint32_t reads_ = 0;   // in this round
  std::uint32_t rounds_ = 0;  // in which it has seen the same
};

}  // namespace gs::inline GS_FLAVOUR::instruments

#endif
