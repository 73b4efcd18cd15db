#pragma once
// racecheck: two accesses to the same bytes that nothing orders, at least one of them a write, or one of them atomic
// and the other plain.

#include "runtime/instruments/results/finding_description.h"

namespace gs::inline GS_FLAVOUR::detail {
extern const instrument_description racecheck_description;
}

#if GRIDSTRIDE_CHECKED

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/instruments/observing/observation.h"
#include "runtime/instruments/observing/observer.h"

namespace gs::inline GS_FLAVOUR::instruments {

class racecheck final : public observer {
 public:
  using observer::observer;
  bool wanted(const inspect_options& options) const override { return options.wants(instrument::racecheck); }
  bool depends_on_order() const override { return true; }

  void begin_inspection() override { forget_pending(); }
  /// In block style, what all threads write is a race of the block with itself, and told as what it is.
  void access(const observed_access& a) override {
    if (observed_.all_threads > 1 && a.writes)
      observed_.report(finding_kind::outside_each, a.kind, a.by.where, a.address, a.note, a.owner);
  }
  void access_cell(const observed_access& a, shadow& cells, cell& c, std::size_t /*offset*/) override {
    const bool plain = a.kind != access_kind::atomic;
    conflict(c.write, a, access_kind::write);
    if (plain) {
      conflict(c.atomic, a, access_kind::atomic);
      for (std::uint32_t k = c.more_atomics; k != 0; k = cells.kept(k).next)
        if (conflict(cells.kept(k), a, access_kind::atomic)) break;
    }
    if (!a.writes) return;
    bool found = false;
    const auto kind_of = [](const mark& m) { return m.atomic ? access_kind::atomic : access_kind::read; };
    for (const mark* earlier : {&c.read, &c.other_read})
      if (plain || !earlier->atomic) found |= conflict(*earlier, a, kind_of(*earlier));
    for (std::uint32_t k = c.more_reads; k != 0 && !found; k = cells.kept(k).next) {
      const kept_access& earlier = cells.kept(k);
      if (plain || !earlier.by.atomic) found = conflict(earlier, a, kind_of(earlier.by));
    }
  }
  void leave_thread() override { writes_are_done(); }
  void writes_are_done() override {
    if (!pending_.empty()) settle_pending();
  }

 private:
  struct pending_write {  // a race of two writes: whether the second changes anything shows after it
    std::size_t finding = 0;
    std::uintptr_t address = 0;
    std::size_t bytes = 0;
    std::size_t before = 0;  // where in before_ are the bytes that it overwrites
  };

  // Whether the access and an earlier one race; then it is written down.
  bool conflict(const mark& earlier, const observed_access& a, access_kind earlier_kind) {
    if (earlier.when == 0) return false;
    const relation lies = observed_.history.relation_to(earlier, a.space);
    if (lies != relation::ordered) report(lies, earlier, a, earlier_kind);
    return lies != relation::ordered;
  }
  bool conflict(const kept_access& earlier, const observed_access& a, access_kind earlier_kind);
  void report(relation lies, const mark& earlier, const observed_access& a, access_kind earlier_kind);
  void compare_later(std::size_t finding, std::uintptr_t address, std::size_t bytes);
  void settle_pending();
  void forget_pending() {
    pending_.clear();
    before_.clear();
  }

  std::vector<pending_write> pending_;
  std::vector<std::byte> before_;
};

}  // namespace gs::inline GS_FLAVOUR::instruments

#endif
