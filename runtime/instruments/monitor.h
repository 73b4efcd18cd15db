#pragma once
// monitor: watches the kernels of a program while gs::inspect runs, access by access.

#if GRIDSTRIDE_CHECKED

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "runtime/engine/shared_window.h"
#include "runtime/instruments/device_arena.h"
#include "runtime/instruments/finding_log.h"
#include "runtime/instruments/host_memory.h"
#include "runtime/instruments/inspect.h"
#include "runtime/instruments/observe.h"
#include "runtime/instruments/request_recorder.h"
#include "runtime/instruments/shadow.h"
#include "runtime/instruments/site.h"
#include "runtime/instruments/timeline.h"

namespace gs::inline GS_FLAVOUR::instruments {

class [[gnu::visibility("hidden")]] monitor;  // so that calls of its functions are direct ones

/// One for the program. What runs is told to it by the functions of observe.h and by the hooks that the compiler puts
/// before each access (hooks.cpp). One thread of the system at a time runs watched work; `mutex` guards the rest.
class monitor {
 public:
  static monitor& instance();
  /// The monitor, if this thread of the system runs work that is watched.
  static monitor* here() { return here_; }

  // gs::inspect
  void start(const inspect_options& options);
  inspection stop();
  bool running() const { return running_; }

  // hooks and observe.h
  /// Whether an access to the address is to be told: no thread's own memory.
  bool follows(std::uintptr_t address) const {
    return arena.contains(address) || in_shared_memory(reinterpret_cast<const void*>(address)) || is_nowhere(address) ||
           (in_thread_ && !busy_ && !engines_own_.contains(address));
  }
  /// An access to an address that it follows.
  void access(std::uintptr_t address, std::size_t bytes, access_kind kind, const void* code);
  void atomic(std::uintptr_t address, std::size_t bytes, atomic_effect effect, const void* code);
  void* element(const indexing& i);
  void fence(fence_scope scope) { time_.fence(scope); }

  void begin_work(const queued_work& work);
  void end_work();
  void name_work(std::string_view name) { time_.name_work(name); }
  void begin_launch(const launch_description& launch);
  void end_launch();
  void enter_block(std::size_t number, bool goes_on);
  void enter_thread(unsigned number);
  void leave_thread() { in_thread_ = false; }
  void thread_has_failed();
  void block_has_met();
  void warp_has_met(unsigned warp, std::uint32_t mask, bool whole_warp, bool orders);
  void grid_has_met();
  void divergent_barrier(const waiting_thread& one, const waiting_thread* other);
  void at_thread(finding_kind kind, unsigned thread, const std::source_location& where);
  void bulk_access(std::uintptr_t address, std::size_t bytes, access_kind kind);
  void copied_to_host(std::uintptr_t address, std::size_t bytes, std::size_t element_bytes,
                      const std::source_location& where);

  void count_copy(const line_copies& one, const std::source_location& where);

  std::recursive_mutex mutex;  ///< of what threads of the host tell: arrays, copies, queued work
  std::recursive_mutex turn;   ///< held by the one that runs watched work
  device_arena arena;
  site_table sites;
  work_order host;           ///< what threads of the host have waited for
  std::uint64_t queued = 0;  ///< pieces of work so far
  unsigned streams = 0;

 private:
  [[gnu::tls_model("initial-exec")]] static constinit thread_local monitor* here_;

  // Where accesses outside a shape go.
  static constexpr std::size_t nowhere_bytes = std::size_t{1} << 16;
  alignas(64) static std::byte nowhere[nowhere_bytes];
  static bool is_nowhere(std::uintptr_t address) {
    return address - reinterpret_cast<std::uintptr_t>(nowhere) < nowhere_bytes;
  }
  static void* nowhere_for(std::size_t bytes);

  struct noted_index {  // an index that has been formed, waiting for its access
    std::uintptr_t address = 0;
    std::size_t bytes = 0;
    site where = unknown_site;
    std::uintptr_t data = 0;
    std::size_t rank = 0;
    std::array<std::size_t, 4> extents{};
  };

  struct reached_element {
    access_kind kind;
    bool reads, writes;
    memory_space space;
    std::uintptr_t address;
    std::size_t bytes;
    const noted_index* note;  // null where the element wasn't reached by an index
    const allocation* owner;  // null for shared memory
  };

  const noted_index* noted(std::uintptr_t address) const;
  /// Whether the array had been freed when the work that runs was queued.
  bool is_gone(const allocation& a) const { return a.freed && a.freed_at <= time_.work().order.serial; }
  void outside(const indexing& i);
  void reach(std::uintptr_t address, std::size_t bytes, access_kind kind, bool reads, bool writes, const void* code);
  void reach_foreign(std::uintptr_t address, access_kind kind, const void* code);
  void touch(cell& c, const mark& me, const reached_element& at);
  void conflict(const mark& me, const mark& earlier, const reached_element& at, access_kind earlier_kind);
  void race(relation lies, const mark& me, const mark& earlier, const reached_element& at, access_kind earlier_kind);
  void remember(mark& last, mark& other, const mark& me, memory_space space) const;
  void remember_load(cell& c, mark me, memory_space space) const;
  void report(finding_kind kind, access_kind access, site where, std::uintptr_t address, const noted_index* note,
              const allocation* owner);
  finding describe_here(finding_kind kind, access_kind access) const;
  finding_access who(const mark& m, access_kind kind) const;
  void locate(finding& f, std::uintptr_t address, const noted_index* note, const allocation* owner) const;
  bool wants(instrument i) const { return options_.instruments[static_cast<std::size_t>(i)]; }
  void finish_findings(std::vector<finding>& findings) const;
  std::vector<line_copies> copies_by_line() const;
  void settle_pending();
  void tick();

  inspect_options options_;
  std::atomic<bool> running_ = false;
  timeline time_;
  finding_log log_;
  request_recorder requests_;
  std::map<site, line_copies> copies_;  // by who asked for them
  std::array<noted_index, 16> notes_{};
  std::size_t next_note_ = 0;
  allocation* last_allocation_ = nullptr;
  bool busy_ = false;          // what runs is the monitor
  bool in_thread_ = false;     // what runs is a kernel's own code
  address_range engines_own_;  // where a thread last used memory of the host that it may use
  std::map<std::uintptr_t, std::unique_ptr<shadow>> shared_cells_;  // by the start of a block's shared memory
  shadow* shared_ = nullptr;
  std::uintptr_t shared_begin_ = 0;

  struct pending_write {  // a race of two writes: whether the second changes anything shows after it
    std::size_t finding = 0;
    std::uintptr_t address = 0;
    std::size_t bytes = 0;
    std::array<std::byte, 16> before{};
  };
  std::optional<pending_write> pending_;
  std::optional<std::size_t> outside_;  // a finding whose access is about to come
  std::size_t allocations_before_ = 0, blocks_done_ = 0;
  std::uint64_t ticks_ = 0;
  std::chrono::steady_clock::time_point started_, launch_started_, last_progress_;
};

}  // namespace gs::inline GS_FLAVOUR::instruments

#endif
