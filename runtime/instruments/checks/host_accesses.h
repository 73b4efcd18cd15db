#pragma once
// host_accesses: device memory that code of the host reads or writes. A part of memcheck.

#include "runtime/observe/observe.h"

#if GRIDSTRIDE_CHECKED

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <utility>

#include "runtime/instruments/observing/observation.h"
#include "runtime/instruments/observing/observer.h"

namespace gs::inline GS_FLAVOUR::instruments {

class host_accesses final : public observer {
 public:
  using observer::observer;
  bool wanted(const inspect_options& options) const override { return options.wants(instrument::memcheck); }
  /// Whether code of the host must leave this address alone.
  static bool is_closed(std::uintptr_t address) {
    return address - closed_from_.load(std::memory_order_relaxed) < closed_bytes_.load(std::memory_order_relaxed);
  }

  void begin_inspection() override;
  void end_inspection() override;
  void array_made(const allocation& array) override;
  void array_lent(const allocation& array) override;
  void host_access(std::uintptr_t address, access_kind kind, const void* code) override;

 private:
  struct accesses {  // of one piece of code and one kind
    std::uintptr_t first = 0;
    std::uint64_t count = 0;
  };
  void close();
  void report();

  static inline std::atomic<std::uintptr_t> closed_from_{0};
  static inline std::atomic<std::size_t> closed_bytes_{0};
  std::mutex mutex_;  // of what follows: a kernel that waits for the host must not keep it waiting
  std::map<std::pair<const void*, access_kind>, accesses> by_code_;
  std::map<std::uintptr_t, std::uintptr_t> managed_;  // where such arrays begin and end: these are the host's, too
};

}  // namespace gs::inline GS_FLAVOUR::instruments

#endif
