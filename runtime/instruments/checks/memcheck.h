#pragma once
// memcheck: accesses outside of an array's shape, to freed memory, to the host's memory, to none at all. It has three
// more parts in files of their own: tile_bounds, host_accesses and hidden_accesses.

#include "runtime/instruments/results/finding_description.h"

namespace gs::inline GS_FLAVOUR::detail {
extern const instrument_description memcheck_description;
}

#if GRIDSTRIDE_CHECKED

#include <array>
#include <cstdint>
#include <map>

#include "runtime/instruments/memory/nowhere.h"
#include "runtime/instruments/observing/observation.h"
#include "runtime/instruments/observing/observer.h"

namespace gs::inline GS_FLAVOUR::instruments {

class memcheck final : public observer {
 public:
  using observer::observer;
  bool wanted(const inspect_options& options) const override { return options.wants(instrument::memcheck); }
  bool depends_on_order() const override { return true; }

  void begin_inspection() override { nowhere_findings_.fill(finding_log::no_finding); }
  void enter_thread(unsigned /*number*/) override { accesses_of_host_memory_.clear(); }
  void thread_has_failed() override;

  void index_outside(const indexing& i, std::size_t piece) override;
  void index_of_freed(const noted_index& note, const allocation& array, std::size_t piece) override;
  void access_nowhere(std::size_t piece, access_kind kind) override;
  bool access_stray(const stray_access& a) override;
  bool stopped_by(const detail::fault_signal& signal) override;

 private:
  std::size_t report_outside(const indexing& i);

  // Of each piece of nowhere, the finding whose access is about to come and says what it does.
  std::array<std::size_t, nowhere::pieces> nowhere_findings_{};
  // How often the running thread, since it goes on, was counted by which findings of host memory: by their numbers.
  std::map<std::size_t, std::uint64_t> accesses_of_host_memory_;
};

}  // namespace gs::inline GS_FLAVOUR::instruments

#endif
