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
#include <set>
#include <span>
#include <string>
#include <vector>

#include "runtime/core/function_ref.h"
#include "runtime/instruments/call_paths.h"
#include "runtime/instruments/device_arena.h"
#include "runtime/instruments/finding_log.h"
#include "runtime/instruments/host_memory.h"
#include "runtime/instruments/inspect.h"
#include "runtime/instruments/request_recorder.h"
#include "runtime/instruments/shadow.h"
#include "runtime/instruments/site_table.h"
#include "runtime/instruments/tile_walks.h"
#include "runtime/instruments/timeline.h"
#include "runtime/instruments/undo_journal.h"
#include "runtime/observe/observe.h"
#include "runtime/threads/shared_window.h"

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
  inspection so_far();
  bool running() const { return running_; }
  /// From a handler: the thread that makes the next access ends there, with an error. False if nothing is inspected.
  bool interrupt() {
    interrupted_ = running_.load();
    return interrupted_;
  }

  // hooks and observe.h
  /// Whether an access to the address is to be told: no thread's own memory.
  bool follows(std::uintptr_t address, access_kind kind) const {
    return arena.contains(address) || in_shared_memory(reinterpret_cast<const void*>(address)) || is_nowhere(address) ||
           (in_thread_ && !busy_ && !(kind == access_kind::read ? engines_own_ : own_stack_).contains(address));
  }
  /// An access to an address that it follows.
  void access(std::uintptr_t address, std::size_t bytes, access_kind kind, const void* code);
  void atomic(std::uintptr_t address, std::size_t bytes, atomic_effect effect, const void* code);
  /// Whether what runs is the monitor's own code.
  bool busy() const { return busy_; }
  /// What comes next goes through a range, piece by piece; {}: it doesn't.
  void set_range(const address_range& range) { range_ = range; }
  void* element(const indexing& i);
  void note_pointer(std::uintptr_t data, std::size_t element_bytes, std::span<const std::size_t> extents);
  void note_shared_struct();
  /// Before all accesses of memset and its like.
  void range(std::uintptr_t address, std::size_t bytes, access_kind kind, const void* code);
  void fence(fence_scope scope) { time_.fence(scope); }
  /// What is about to be accessed is told of: the trap has nothing to add.
  void announce(std::uintptr_t address, std::size_t bytes);

  void begin_work(const queued_work& work);
  void end_work();
  void name_work(std::string_view name) {
    time_.name_work(name);
    in_library_ = true;
  }
  void observe_launch(const launch_description& launch, function_ref<void()> run);
  run_order order() const { return order_; }
  bool given_up() const { return given_up_; }
  void enter_block(std::size_t number, bool goes_on);
  void set_block_aside();
  void go_back_to_block(std::size_t number);
  unsigned running_thread() const { return time_.thread(); }
  void begin_thread(unsigned number, const void* frame);
  void enter_thread(unsigned number);
  void enter_all_threads(unsigned threads);
  void note_side_by_side(std::uintptr_t data, std::size_t bytes, unsigned threads);
  void leave_thread() {
    if (block_base_ != 0) tell_depth_of_block();
    in_thread_ = false;
  }
  void thread_has_failed();
  void arrive(unsigned thread, meeting_place at, const std::source_location& where, const void* frame);
  void block_has_met();
  void warp_has_met(unsigned warp, std::uint32_t mask, bool whole_warp, bool orders, bool exchanges);
  void grid_has_met();
  void divergent_barrier(const waiting_thread& one, const waiting_thread* other);
  bool stopped_by(const fault_signal& signal);
  void at_thread(finding_kind kind, unsigned thread, const std::source_location& where);
  /// Calls what lets other threads run in the middle of this one's access, of which an index may be known.
  void while_others_run(function_ref<void()> others);
  /// Where the thread that runs has read this, by its index or else by the code.
  site site_of(std::uintptr_t address, const void* code);
  /// The thread waits, or has waited, for another one to change what it reads there.
  void spins_on_plain_reads(std::uintptr_t address, const void* code);
  void bulk_access(std::uintptr_t address, std::size_t bytes, access_kind kind);
  void copied_to_host(std::uintptr_t address, std::size_t bytes, std::size_t element_bytes,
                      const std::source_location& where);

  void count_copy(const line_copies& one, const std::source_location& where);

  /// Accesses of the host to device memory are told from now on, if an inspection runs that wants them.
  void close_to_host();
  /// Whether code of the host must leave this address alone.
  static bool is_closed_to_host(std::uintptr_t address) {
    return address - closed_from_.load(std::memory_order_relaxed) < closed_bytes_.load(std::memory_order_relaxed);
  }
  /// What access_trap has met: an access to device memory by the instruction at `code`, whoever makes it.
  static void trapped(std::uintptr_t address, access_kind kind, const void* code);
  /// Code of the host, on any thread, is about to access device memory.
  void host_access(std::uintptr_t address, access_kind kind, const void* code);

  std::recursive_mutex mutex;  ///< of what threads of the host tell: arrays, copies, queued work
  std::recursive_mutex turn;   ///< held by the one that runs watched work
  device_arena arena;
  site_table sites;
  work_order host;           ///< what threads of the host have waited for
  std::uint64_t queued = 0;  ///< pieces of work so far
  unsigned streams = 0;

 private:
  [[gnu::tls_model("initial-exec")]] static constinit thread_local monitor* here_;

  // The monitor's own code calls functions of the standard library that the program has compiled with hooks too. What
  // these access is no thread's.
  class own_work {
   public:
    explicit own_work(bool& busy) : busy_(busy) { busy_ = true; }
    ~own_work() { busy_ = false; }
    own_work(const own_work&) = delete;
    own_work& operator=(const own_work&) = delete;

   private:
    bool& busy_;
  };

  static inline std::atomic<std::uintptr_t> closed_from_{0};
  static inline std::atomic<std::size_t> closed_bytes_{0};

  // Where accesses go that may go nowhere else. `y[i] = x[i]` forms two indices before it accesses either: each has a
  // piece of its own.
  static constexpr std::size_t nowhere_bytes = std::size_t{1} << 16, nowhere_pieces = 8;
  alignas(64) static std::byte nowhere[nowhere_pieces * nowhere_bytes];
  static bool is_nowhere(std::uintptr_t address) {
    return address - reinterpret_cast<std::uintptr_t>(nowhere) < sizeof nowhere;
  }

  struct noted_index {  // an index that has been formed, waiting for its access
    std::uintptr_t address = 0;
    element_layout element;
    site where = unknown_site;
    std::uintptr_t data = 0;
    std::size_t rank = 0;
    std::array<std::size_t, 4> extents{};
    bool takes_atomics = false;
    tile_walks::number tile = tile_walks::none;     // of the block's shared struct
    std::uint64_t turn = 0;                         // in which the thread formed it
    mutable bool is_read = false, is_done = false;  // it has been read; no more accesses are to come
  };

  struct reached_element {
    access_kind kind;
    bool reads, writes;
    memory_space space;
    std::uintptr_t address;
    std::size_t bytes;
    const noted_index* note;     // null where the element wasn't reached by an index
    const allocation* owner;     // null for shared memory
    std::uintptr_t cells_begin;  // the address of the first of its cells
  };

  // monitor_orders.cpp
  std::exception_ptr run_once(const launch_description& launch, function_ref<void()> run);
  void run_in_other_orders(const launch_description& launch, function_ref<void()> run, std::uint64_t enough,
                           bool has_failed);
  void stay_with_one_order(const std::string& kernel, const std::string& why);
  void refuse_launch(const launch_description& launch);
  void save(std::uintptr_t address, std::size_t bytes, bool of_array);
  void give_up();
  [[noreturn]] void stop_thread(std::exception_ptr why = std::make_exception_ptr(block_stopped{}));
  bool counts() const { return options_.counters && order_.as_numbered(); }

  const noted_index* noted(std::uintptr_t address) const;
  /// Whether the array had been freed when the work that runs was queued.
  bool is_gone(const allocation& a) const { return a.freed && a.freed_at <= time_.work().order.serial; }
  std::size_t outside(const indexing& i);
  void end_interrupted_thread(std::uintptr_t address, const void* code);
  void reach(std::uintptr_t address, std::size_t bytes, access_kind kind, bool reads, bool writes, const void* code);
  bool belongs_to(const noted_index& note, access_kind kind) const;
  void follow_pointer(std::size_t offset, std::uintptr_t address, std::size_t bytes, access_kind kind,
                      const noted_index* note, const void* code);
  void has_left(tile_walks::number tile, std::size_t offset, access_kind kind, const void* code, bool is_certain);
  void point_to(std::uintptr_t data, std::size_t element_bytes, std::size_t elements);
  void reach_foreign(std::uintptr_t address, std::size_t bytes, access_kind kind, const void* code);
  bool is_own_shared(std::size_t offset, std::size_t bytes) const;
  void tell_depth(site where, std::uintptr_t frame);
  void tell_depth_of_block();
  void report_depth(site where, std::uintptr_t base, std::size_t used);
  void stop_block();
  void forget_arrivals();
  void compare_lanes(unsigned warp, std::uint32_t mask);
  void compare_with_met(finding_kind kind, unsigned thread);
  void stand_apart(finding_kind kind, unsigned thread, unsigned other);
  void settle_forks();
  inspection conclude();
  void touch(shadow& cells, cell& c, std::size_t offset, const mark& me, const reached_element& at);
  // monitor_initialization.cpp
  bool is_written(const cell& c, std::size_t offset, const reached_element& at) const;
  bool may_be_padding(const shadow& cells, std::size_t offset, const reached_element& at) const;
  void look_for_races(shadow& cells, cell& c, const mark& me, const reached_element& at);
  bool conflict(const mark& me, const mark& earlier, const reached_element& at, access_kind earlier_kind);
  bool conflict(const mark& me, const kept_access& earlier, const reached_element& at, access_kind earlier_kind);
  void race(relation lies, const mark& me, const mark& earlier, const reached_element& at, access_kind earlier_kind);
  void remember_read(shadow& cells, cell& c, const mark& me, memory_space space) const;
  void remember_atomic(shadow& cells, cell& c, const mark& me, memory_space space) const;
  // monitor_memory.cpp: accesses that a cell has no place for
  void keep(shadow& cells, std::uint32_t& list, const mark& earlier, const mark& me, memory_space space) const;
  void thin_out(shadow& cells, std::uint32_t& list, const mark& me, memory_space space) const;
  bool comes_before(const kept_access& earlier, memory_space space) const;
  relation relation_to(const mark& earlier, memory_space space) const {
    return space == memory_space::shared ? time_.to_shared(earlier) : time_.to(earlier);
  }
  /// The finding's number in the log, or finding_log::no_finding.
  std::size_t report(finding_kind kind, access_kind access, site where, std::uintptr_t address, const noted_index* note,
                     const allocation* owner);
  bool is_known(const finding_log::key& key);
  finding describe_here(finding_kind kind, access_kind access) const;
  finding_access who(const mark& m, access_kind kind) const;
  void locate(finding& f, std::uintptr_t address, const noted_index* note, const allocation* owner) const;
  bool wants(instrument i) const { return options_.instruments[static_cast<std::size_t>(i)]; }
  void finish_findings(std::vector<finding>& findings) const;
  std::vector<line_copies> copies_by_line() const;
  void settle_pending();
  void* nowhere_for(std::size_t finding, std::size_t bytes);
  void reach_nowhere(std::uintptr_t address, access_kind kind);
  void report_host_accesses();
  bool announced(std::uintptr_t address) const;
  void tick();

  inspect_options options_;
  std::atomic<bool> running_ = false, interrupted_ = false;
  timeline time_;
  finding_log log_;
  request_recorder requests_;
  std::map<site, line_copies> copies_;  // by who asked for them

  struct host_accesses {  // of one piece of code and one kind
    std::uintptr_t first = 0;
    std::uint64_t count = 0;
  };
  std::mutex host_mutex_;  // of what follows: a kernel that waits for the host must not keep it waiting
  std::map<std::pair<const void*, access_kind>, host_accesses> host_accesses_;

  std::array<noted_index, 16> notes_{};
  std::size_t next_note_ = 0;
  allocation* last_allocation_ = nullptr;
  bool told_uninitialized_ = false;  // of the present access
  bool busy_ = false;                // what runs is the monitor
  bool in_thread_ = false;           // what runs is a kernel's own code
  address_range range_;              // that the accesses go through
  address_range engines_own_;        // where a thread last used memory of the host that it may use
  address_range own_stack_;          // where one last wrote to a stack
  std::map<std::uintptr_t, std::unique_ptr<shadow>> shared_cells_;  // by the start of a block's shared memory
  shadow* shared_ = nullptr;
  std::uintptr_t shared_begin_ = 0;

  // Where accesses have just been told of, for access_trap: the last ones, neighbours as one.
  struct stretch {
    std::uintptr_t begin = 0, end = 0;
  };
  std::array<stretch, 32> announced_{};
  std::size_t next_announced_ = 0;
  bool in_library_ = false;  // what runs is a library's, which tells of its accesses as a whole

  struct pending_write {  // a race of two writes: whether the second changes anything shows after it
    std::size_t finding = 0;
    std::uintptr_t address = 0;
    std::size_t bytes = 0;
    std::array<std::byte, 16> before{};
  };
  std::optional<pending_write> pending_;
  // Of each piece of nowhere, the finding whose access is about to come and says what it does.
  std::array<std::size_t, nowhere_pieces> nowhere_findings_{};
  std::size_t next_nowhere_ = 0;
  std::size_t static_shared_bytes_ = 0, dynamic_shared_bytes_ = 0;  // of the launch
  std::array<std::uintptr_t, 1024> bases_{};                        // by thread: the frame of who has called the kernel
  // How often the running thread, since it goes on, was counted by which findings of host memory: by their numbers.
  std::map<std::size_t, std::uint64_t> accesses_of_host_memory_;
  unsigned all_threads_ = 1;     // how many do what runs, on a GPU
  std::size_t local_bytes_ = 0;  // that a thread has on the GPU of the model
  bool has_depth_ = false;       // the bases say how much of it the threads take
  std::uintptr_t deepest_ = 0;   // where it ends; 0: not known
  // In block style the threads share a stack, and the values that they keep lie there side by side.
  struct side_by_side_values {
    std::uintptr_t begin;
    std::size_t bytes, of_others;  // than one thread
  };
  std::uintptr_t block_base_ = 0, block_deepest_ = 0;  // where it begins, and the deepest frame that counts; 0: none
  site deepest_site_ = unknown_site;
  bool block_is_deep_ = false;
  std::vector<side_by_side_values> side_by_side_;

  struct pointed_array {  // a tile to which a pointer was made, and nothing accessed since
    std::uintptr_t begin = 0, end = 0;
    std::size_t element_bytes = 1;
  };
  std::array<pointed_array, 4> pointed_;  // the last ones, in the order in which they were made
  std::size_t pointed_count_ = 0;
  tile_walks walks_;
  std::uint64_t turns_ = 0;    // times that a thread has begun or gone on
  bool walks_are_on_ = false;  // there is a shared struct, and memcheck

  struct arrival {  // at a barrier, or an operation of the warp
    site where = unknown_site;
    call_paths::number path = 0;
  };
  struct fork {  // a finding that stands if the paths part in the source
    std::size_t finding;
    call_paths::number path, other;
  };
  call_paths paths_;
  std::array<arrival, 1024> arrivals_;  // by thread, the last one
  std::vector<unsigned> met_;           // at the barrier that opens next, for each way to it the first thread
  std::vector<fork> forks_;

  // Of the launch that runs, and of its present run.
  run_order order_;
  undo_journal journal_;
  unsigned runs_ = 1;   // that it is to have
  bool saves_ = false;  // what it writes to
  bool given_up_ = false;
  std::uint64_t last_access_ = 0;  // after it the run is given up
  std::size_t snapshot_bytes_ = 0;
  std::set<std::string> in_one_order_;  // kernels that aren't to run again
  std::vector<std::string> notes_of_launches_;

  std::size_t allocations_before_ = 0, blocks_entered_ = 0;
  std::uint64_t accesses_ = 0;
  std::chrono::steady_clock::time_point started_, launch_started_, last_progress_;
};

}  // namespace gs::inline GS_FLAVOUR::instruments

#endif
