#pragma once
// synccheck: barriers that a part of the threads reaches, lanes that exchange values at different places or with one
// that has returned, and loops that wait for another thread with plain reads.

#include "runtime/instruments/results/finding_description.h"

namespace gs::inline GS_FLAVOUR::detail {
extern const instrument_description synccheck_description;
}

#if GRIDSTRIDE_CHECKED

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/instruments/observing/observation.h"
#include "runtime/instruments/observing/observer.h"
#include "runtime/instruments/places/call_paths.h"

namespace gs::inline GS_FLAVOUR::instruments {

class synccheck final : public observer {
 public:
  using observer::observer;
  bool wanted(const inspect_options& options) const override { return options.wants(instrument::synccheck); }
  bool depends_on_order() const override { return true; }

  void begin_inspection() override { forks_.clear(); }
  void settle() override;
  void enter_block(std::size_t /*number*/, bool /*goes_on*/) override { met_.clear(); }
  void arrive(unsigned thread, meeting_place at, const std::source_location& where, const void* frame) override;
  void block_has_met() override { met_.clear(); }
  void warp_has_met(unsigned warp, std::uint32_t mask, bool whole_warp, bool exchanges) override;
  void divergent_barrier(const waiting_thread& one, const waiting_thread* other) override;
  void absent_lane_read(unsigned thread, const std::source_location& where) override;
  void exit_before_grid_sync(unsigned thread, const std::source_location& where) override;
  void spins_on_plain_reads(std::uintptr_t address, site where) override;

 private:
  struct arrival {  // at a barrier, or an operation of the warp
    site where = unknown_site;
    call_paths::number path = 0;
    meeting_place at = meeting_place::block;
  };
  struct fork {  // a finding that stands if the paths part in the source
    std::size_t finding;
    call_paths::number path, other;
  };
  void compare_with_met(finding_kind kind, unsigned thread);
  void stand_apart(finding_kind kind, unsigned thread, unsigned other);

  call_paths paths_;
  std::array<arrival, observation::most_threads> arrivals_;  // by thread, the last one
  std::vector<unsigned> met_;  // at the barrier that opens next, for each way to it the first thread
  std::vector<fork> forks_;
};

}  // namespace gs::inline GS_FLAVOUR::instruments

#endif
