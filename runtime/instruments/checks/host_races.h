#pragma once
// host_races: code of the host that uses memory which queued work may still use, because nothing has waited for the
// work. A part of racecheck.
//
// Both are kept until they can be compared: which memory a piece of work uses is known when it has run, and that may be
// before or after the host's access, as it happens. Whether the host has waited follows from the order of its calls
// alone (work_order.h), so what is found doesn't depend on when the work ran.

#include "runtime/observe/observe.h"

#if GRIDSTRIDE_CHECKED

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "runtime/instruments/observing/observation.h"
#include "runtime/instruments/observing/observer.h"

namespace gs::inline GS_FLAVOUR::instruments {

/// Stretches of memory, which grow as accesses are added.
class memory_stretches {
 public:
  void add(std::uintptr_t begin, std::size_t bytes);
  /// Whether one of them and [begin, end) have a byte in common.
  bool meets(std::uintptr_t begin, std::uintptr_t end);
  const std::vector<std::pair<std::uintptr_t, std::uintptr_t>>& all() const { return all_; }

 private:
  void settle();

  std::vector<std::pair<std::uintptr_t, std::uintptr_t>> all_;  // [begin, end)
  bool is_settled_ = true;                                      // in order, and none of them touch
  std::size_t settled_ = 0;                                     // how many they were then
};

class host_races final : public observer {
 public:
  using observer::observer;
  bool wanted(const inspect_options& options) const override { return options.wants(instrument::racecheck); }

  void begin_inspection() override;
  void end_inspection() override { report(); }
  void queued(const queued_work& work) override;
  void waited(const work_order& order) override;
  void begin_work() override;
  void end_work() override;
  void begin_launch(const launch_description& launch) override;
  void begin_host_function() override { in_host_function_ = true; }
  void end_host_function() override { in_host_function_ = false; }
  void access(const observed_access& a) override {
    if (running_ && a.owner && a.owner->managed) use(a.address, a.bytes, a.reads, a.writes, a.by.where);
  }
  void host_access(std::uintptr_t address, std::size_t bytes, access_kind kind, const void* code) override;

 private:
  struct work {
    queued_work order;
    std::string name;
    site where = unknown_site;  // of its launch, or of the call that has queued it
    memory_stretches read, written;
    bool has_run = false, is_waited_for = false;
    bool uses_nothing() const { return read.all().empty() && written.all().empty(); }
  };
  // What the host knew when it made an access: the work that was queued, and what it had waited for.
  struct moment {
    std::uint64_t queued = 0;
    work_order waited;
  };
  struct host_use {
    const void* code;
    access_kind kind;
    std::size_t moment;
    memory_stretches memory;
  };
  struct race_key {
    const void* code;
    access_kind kind;
    std::uint64_t work;  // of which the place and the name are told
    auto operator<=>(const race_key&) const = default;
  };
  struct race {
    std::string name;
    site where;
    access_kind work_kind;
    std::uintptr_t address;
  };

  void use(std::uintptr_t address, std::size_t bytes, bool reads, bool writes, site where);
  bool is_concurrent(const work& w, const moment& m) const {
    return w.order.serial <= m.queued && m.waited.last_of(w.order.stream) < w.order.order.last_of(w.order.stream);
  }
  void add_moment(moment now);
  void compare(work& w, const void* code, access_kind kind, std::uintptr_t begin, std::uintptr_t end);
  void forget_done();
  void report();

  static inline thread_local bool in_host_function_ = false;
  std::atomic<bool> any_unwaited_{false};
  std::mutex mutex_;                     // of what follows: a kernel that waits for the host must not keep it waiting
  std::map<std::uint64_t, work> works_;  // by serial: those that have not run, or that nothing has waited for
  work* running_ = nullptr;              // read by the thread that runs it
  std::vector<moment> moments_;          // the last one is now
  std::vector<host_use> pending_;        // while work that hasn't run may use the same
  std::map<race_key, race> races_;
};

}  // namespace gs::inline GS_FLAVOUR::instruments

#endif
