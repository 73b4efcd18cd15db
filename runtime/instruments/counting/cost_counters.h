#pragma once
// cost_counters: what accesses and copies cost, by line and by kernel.

#include "runtime/observe/observe.h"

#if GRIDSTRIDE_CHECKED

#include <cstddef>
#include <map>
#include <vector>

#include "runtime/instruments/counting/request_recorder.h"
#include "runtime/instruments/observing/observation.h"
#include "runtime/instruments/observing/observer.h"
#include "runtime/threads/shared_window.h"

namespace gs::inline GS_FLAVOUR::instruments {

class cost_counters final : public observer {
 public:
  using observer::observer;
  bool wanted(const inspect_options& options) const override { return options.counters; }

  void begin_inspection() override;
  void add_to(inspection& result) override;

  void end_work() override { requests_.finish_requests(); }
  void begin_launch(const launch_description& launch) override { requests_.begin_launch(launch); }
  void end_run() override { requests_.finish_requests(); }
  void enter_block(std::size_t number, bool /*goes_on*/) override { requests_.enter_block(number); }
  void set_block_aside() override { requests_.finish_requests(); }
  void go_back_to_block(std::size_t number) override { requests_.enter_block(number); }
  void enter_thread(unsigned number) override { requests_.enter_thread(number); }
  void block_has_met() override {
    requests_.finish_requests();
    if (observed_.order.as_numbered()) requests_.count_barrier();
  }
  void warp_has_met(unsigned /*warp*/, std::uint32_t /*mask*/, bool whole_warp, bool /*exchanges*/) override {
    if (whole_warp) requests_.finish_requests();
  }
  void grid_has_met() override { requests_.finish_requests(); }
  void access(const observed_access& a) override;
  void copied_to_device(std::size_t bytes, const std::source_location& where) override;
  void copied_to_host(std::uintptr_t address, std::size_t bytes, std::size_t element_bytes,
                      const std::source_location& where) override;

 private:
  std::vector<line_copies> copies_by_line() const;

  request_recorder requests_;
  std::map<site, line_copies> copies_;  // by who asked for them
};

inline void cost_counters::access(const observed_access& a) {
  if (!observed_.order.as_numbered() || !observed_.time.in_launch()) return;
  requests_.record(a.by.where, a.kind, a.space, a.owner ? a.address : a.offset(), a.bytes,
                   {.begin = a.owner ? a.memory_begin : 0,
                    .bytes = a.owner ? a.owner->bytes : detail::shared_slot::bytes,
                    .made = a.owner ? a.owner->made : unknown_site,
                    .element_bytes = a.note ? a.note->element.bytes : a.bytes,
                    .rank = a.note ? a.note->rank : 0,
                    .extents = a.note ? a.note->extents.data() : nullptr});
  if (a.owner) requests_.record_memory(a.address, a.bytes, a.reads, a.writes);
}

}  // namespace gs::inline GS_FLAVOUR::instruments

#endif
