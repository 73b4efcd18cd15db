#pragma once
// host_accesses: memory and variables of the device that code of the host reads or writes. A part of memcheck.

#include "runtime/observe/observe.h"

#if GRIDSTRIDE_CHECKED

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <tuple>

#include "runtime/instruments/memory/device_variables.h"
#include "runtime/instruments/observing/observation.h"
#include "runtime/instruments/observing/observer.h"

namespace gs::inline GS_FLAVOUR::instruments {

class host_accesses final : public observer {
 public:
  using observer::observer;
  bool wanted(const inspect_options& options) const override { return options.wants(instrument::memcheck); }

  void begin_inspection() override;
  void end_inspection() override { report(); }
  void array_made(const allocation& array) override;
  void array_lent(const allocation& array) override;
  void host_access(std::uintptr_t address, std::size_t bytes, access_kind kind, const void* code) override;

 private:
  struct accesses {  // of one piece of code and one kind, to arrays or to one variable
    std::uintptr_t first = 0;
    std::uint64_t count = 0;
  };
  using access_key = std::tuple<const void*, access_kind, const device_variable*>;
  void report();

  std::mutex mutex_;  // of what follows: a kernel that waits for the host must not keep it waiting
  std::map<access_key, accesses> by_code_;
  std::map<std::uintptr_t, std::uintptr_t> managed_;  // where such arrays begin and end: these are the host's, too
};

}  // namespace gs::inline GS_FLAVOUR::instruments

#endif
