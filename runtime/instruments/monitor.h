#pragma once
// monitor: watches the kernels of a program while gs::inspect runs, access by access, and tells the instruments.

#if GRIDSTRIDE_CHECKED

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <source_location>
#include <span>
#include <string_view>
#include <tuple>

#include "runtime/core/function_ref.h"
#include "runtime/instruments/inspection_clock.h"
#include "runtime/instruments/instrument_list.h"
#include "runtime/instruments/launch_replay.h"
#include "runtime/instruments/memory/nowhere.h"
#include "runtime/instruments/memory/shared_shadow.h"
#include "runtime/instruments/observing/observation.h"
#include "runtime/instruments/observing/observer.h"
#include "runtime/instruments/results/inspection.h"
#include "runtime/observe/observe.h"
#include "runtime/threads/shared_window.h"

namespace gs::inline GS_FLAVOUR::instruments {

class [[gnu::visibility("hidden")]] monitor;  // so that calls of its functions are direct ones

/// One for the program. What runs is told to it by the functions of observe.h and by the hooks that the compiler puts
/// before each access (hooks.cpp). It finds out what an access reaches, and knows nothing of what is wrong or costs
/// much: instrument_list.h. One thread of the system at a time runs watched work; `mutex` guards the rest.
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
  bool interrupt() { return observed_.interrupted = running_.load(); }

  /// Calls event(instrument) for all that are wanted. What they do is no thread's of a kernel.
  template <class Event>
  void tell(const Event& event) {
    const own_work now(busy_);
    each(event);
  }
  /// The same, where this is known or, on a thread of the host, nothing of that kind.
  template <class Event>
  void each(const Event& event) {
    std::apply([&](auto&... one) { ((one.is_on() ? event(one) : void()), ...); }, instruments_);
  }

  // Queued work, launches, blocks and threads; see observe.h
  void begin_work(const queued_work& work);
  void end_work();
  void name_work(std::string_view name);
  void observe_launch(const launch_description& launch, detail::function_ref<void()> run);
  run_order order() const { return observed_.order; }
  bool given_up() const { return replay_.given_up(); }
  void enter_block(std::size_t number, bool goes_on);
  void set_block_aside();
  void go_back_to_block(std::size_t number);
  void block_has_met();
  void warp_has_met(unsigned warp, std::uint32_t mask, bool whole_warp, bool orders, bool exchanges);
  void grid_has_met();
  unsigned running_thread() const { return observed_.time.thread(); }
  void begin_thread(unsigned number, const void* frame);
  void enter_thread(unsigned number);
  void enter_all_threads(unsigned threads);
  void leave_thread();
  void thread_has_failed();
  bool stopped_by(const detail::fault_signal& signal);
  void fence(fence_scope scope) { observed_.time.fence(scope); }

  // Indices and accesses
  void* element(const indexing& i);
  /// Whether an access to the address is to be told: no thread's own memory.
  bool follows(std::uintptr_t address, access_kind kind) const {
    return observed_.arena.contains(address) || detail::in_shared_memory(reinterpret_cast<const void*>(address)) ||
           nowhere::contains(address) ||
           (observed_.in_thread && !busy_ &&
            !(kind == access_kind::read ? engines_own_ : own_stack_).contains(address));
  }
  /// An access to an address that it follows.
  void access(std::uintptr_t address, std::size_t bytes, access_kind kind, const void* code);
  void atomic(std::uintptr_t address, std::size_t bytes, atomic_effect effect, const void* code);
  /// A library's, which tells of them as a whole; `where` is the call, if that is known.
  void bulk_access(std::uintptr_t address, std::size_t bytes, access_kind kind,
                   const std::source_location* where = nullptr);
  /// What is about to be accessed, and told of later.
  void announce(std::uintptr_t address, std::size_t bytes) {
    tell([&](auto& one) { one.before_access(address, bytes); });
  }
  /// Whether what runs is the monitor's own code.
  bool busy() const { return busy_; }
  /// What comes next goes through a range, piece by piece; {}: it doesn't.
  void set_range(const address_range& range);
  /// What access_trap has met: an access to device memory by the instruction at `code`, whoever makes it.
  static void trapped(std::uintptr_t address, access_kind kind, const void* code);

  // Threads that wait for others; see spin_watch.h
  /// Calls what lets other threads run in the middle of this one's access, of which an index may be known.
  void while_others_run(detail::function_ref<void()> others);
  /// Where the thread that runs has read this, by its index or else by the code.
  site site_of(std::uintptr_t address, const void* code);

  device_arena& arena() { return observed_.arena; }
  void account_for_errors_by(error_account (*give_account)()) { observed_.give_account = give_account; }
  device_variables& variables() { return observed_.variables; }
  site_table& sites() { return observed_.sites; }

  std::recursive_mutex mutex;  ///< of what threads of the host tell: arrays, copies, queued work
  std::recursive_mutex turn;   ///< held by the one that runs watched work
  work_order host;             ///< what threads of the host have waited for
  std::uint64_t queued = 0;    ///< pieces of work so far
  unsigned streams = 0;

 private:
  monitor();
  friend host_function_scope;  // for which the work that runs here is none
  [[gnu::tls_model("initial-exec")]] static constinit thread_local monitor* here_;

  // The monitor's own code calls functions of the standard library that the program has compiled with hooks too. What
  // these access is no thread's.
  class own_work {
   public:
    explicit own_work(bool& busy) : busy_(busy), before_(busy) { busy_ = true; }
    ~own_work() { busy_ = before_; }
    own_work(const own_work&) = delete;
    own_work& operator=(const own_work&) = delete;

   private:
    bool& busy_;
    const bool before_;
  };

  std::exception_ptr run_once(const launch_description& launch, detail::function_ref<void()> run);
  inspection conclude();

  std::size_t next_piece_of_nowhere() { return pieces_of_nowhere_++ % nowhere::pieces; }
  void reach_nowhere(std::uintptr_t address, access_kind kind);
  allocation* array_at(std::uintptr_t address);
  void reach(std::uintptr_t address, std::size_t bytes, access_kind kind, bool reads, bool writes, const void* code);
  void touch(const observed_access& a, shadow& cells);
  void reach_stray(std::uintptr_t address, std::size_t bytes, access_kind kind, const void* code);
  void save(std::uintptr_t address, std::size_t bytes, bool of_array);

  void end_interrupted_thread(std::uintptr_t address, const void* code);
  void stop_block();
  void give_up();
  [[noreturn]] void stop_thread(std::exception_ptr why = std::make_exception_ptr(block_stopped{}));

  observation observed_;
  instrument_list instruments_;
  launch_replay replay_{observed_};
  inspection_clock clock_;

  std::atomic<bool> running_ = false;
  bool busy_ = false;          // what runs is the monitor
  bool in_library_ = false;    // what runs is a library's, which tells of its accesses as a whole
  address_range engines_own_;  // where a thread last used memory of the host that it may use
  address_range own_stack_;    // where one last wrote to a stack
  allocation* last_array_ = nullptr;
  shared_shadow shared_;
  std::size_t pieces_of_nowhere_ = 0;  // handed out so far
};

}  // namespace gs::inline GS_FLAVOUR::instruments

#endif
