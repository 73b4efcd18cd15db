#pragma once
// hidden_accesses: those to device memory that the compiler puts no hook before: access_trap meets them. A part of
// memcheck.

#include "runtime/observe/observe.h"

#if GRIDSTRIDE_CHECKED

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "runtime/instruments/memory/access_trap.h"
#include "runtime/instruments/observing/observation.h"
#include "runtime/instruments/observing/observer.h"

namespace gs::inline GS_FLAVOUR::instruments {

class hidden_accesses final : public observer {
 public:
  using observer::observer;
  bool wanted(const inspect_options& options) const override { return options.hidden_accesses; }

  void begin_inspection() override;
  void end_inspection() override { access_trap::end(); }
  void begin_work() override;
  void enter_thread(unsigned /*number*/) override { announced_ = {}; }
  void before_access(std::uintptr_t address, std::size_t bytes) override;
  void trapped(std::uintptr_t address, access_kind kind, const void* next) override;
  // (Pages of pinned memory may be handed to the system, which finds no page without rights.)
  void array_made(const allocation& array) override {
    if (!array.pinned) access_trap::add(array.begin, array.bytes);
  }
  void array_freed(const allocation& array) override { access_trap::remove(array.begin); }

 private:
  // Where accesses have just been told of: the last ones, neighbours as one.
  struct stretch {
    std::uintptr_t begin = 0, end = 0;
  };
  std::array<stretch, 32> announced_{};
  std::size_t next_announced_ = 0;
};

}  // namespace gs::inline GS_FLAVOUR::instruments

#endif
