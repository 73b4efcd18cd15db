#pragma once
// What the rest of the runtime tells the instruments, which define these functions. In the plain flavour nobody is
// told: nothing_observed.h.

#if !GRIDSTRIDE_CHECKED
#include "runtime/observe/nothing_observed.h"
#else

#include <cstddef>
#include <cstdint>
#include <exception>
#include <source_location>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/core/config.h"
#include "runtime/core/function_ref.h"
#include "runtime/core/index3.h"
#include "runtime/core/source_place.h"
#include "runtime/observe/access_kind.h"
#include "runtime/observe/run_order.h"
#include "runtime/observe/value_bytes.h"
#include "runtime/observe/work_order.h"

namespace gs::inline GS_FLAVOUR::detail {
struct fault_signal;
}

namespace gs::inline GS_FLAVOUR::instruments {

/// Whether a kernel, or another piece of queued work, runs here and is watched. Blocks then run one after the other.
bool watching();

// --- elements --------------------------------------------------------------------------------------------------------

/// An index into an array, before it is used.
struct indexing {
  void* data;  ///< the array's first element
  element_layout element;
  const std::size_t* index;    ///< one per dimension
  const std::size_t* extents;  ///< the shape
  std::size_t rank;
  std::source_location where;
  bool takes_atomics = false;   ///< whether gs::atomic_ref takes the element
  bool is_fixed_array = false;  ///< a tile or local array, and no view of memory
};
/// The address of the element. An index outside the shape is a finding, and the address one that belongs to nobody;
/// where nothing is watched it throws gs::error.
void* element(const indexing& i);

/// A pointer to the first element of a tile, or of a thread's own array, has been asked for.
void note_pointer(const void* data, std::size_t element_bytes, const std::size_t* extents, std::size_t rank);
/// The block's shared struct has been asked for as a whole: *s.
void note_shared_struct();

/// What an atomic operation does to its element.
enum class atomic_effect : std::uint8_t { load, store, update };
void note_atomic(const void* element, std::size_t bytes, atomic_effect effect);

/// A fence: what the thread wrote before may be handed to its block, or to all blocks, by an atomic operation after it.
enum class fence_scope : std::uint8_t { block, device };
void note_fence(fence_scope scope);

/// Queued work that isn't a kernel: what it is called, and the device memory that it has read or written.
void name_work(std::string_view name);
void note_read(const void* memory, std::size_t bytes);
void note_written(const void* memory, std::size_t bytes);

// --- threads ---------------------------------------------------------------------------------------------------------

struct launch_description {
  std::string_view kernel;
  index3 grid, block;
  std::size_t static_shared_bytes, dynamic_shared_bytes, parameter_bytes;
  bool cooperative;
  std::source_location where;
};
/// For a launch that is watched: calls `run`, which runs its blocks, once for each order of blocks and threads that is
/// asked for, each time on the memory that the first run found. What the first one did stays, and what it threw is
/// thrown.
void observe_launch(const launch_description& launch, detail::function_ref<void()> run);
/// The order of the run that runs here; as numbered where nothing is watched.
run_order order_of_turns();
inline std::size_t whose_turn(std::size_t turn, std::size_t n) { return order_of_turns().at(turn, n); }
/// The position of the thread whose turn it is in a block.
index3 position_in_turn(unsigned turn, const index3& block);
/// Whether the launch has run before: what it prints has been printed.
bool runs_again();
/// Whether the rest of the run is to be left out.
bool given_up();
/// A block begins, or goes on after a barrier of the grid.
void enter_block(std::size_t number, bool goes_on);
/// The block that runs gives way to others, and goes on later where it was left.
void set_block_aside();
void go_back_to_block(std::size_t number);
/// The number of the thread that was entered last.
unsigned running_thread();
/// A thread of the block begins; `frame` is that of the function that calls the kernel.
void begin_thread(unsigned number, const void* frame);
/// A thread of the block goes on, or begins a part of a kernel in block style.
void enter_thread(unsigned number);
/// What runs is the part of a kernel in block style that each of the block's threads does on a GPU.
void enter_all_threads(unsigned threads);
/// A variable of a block in block style holds a value for each of its threads, one beside the other.
void note_side_by_side(const void* data, std::size_t bytes, unsigned threads);
/// It waits: what runs is the engine.
void leave_thread();
/// From its construction to its end, what runs is a kernel's own code: thread `number` begins and returns.
class thread_scope {
 public:
  [[gnu::always_inline]] explicit thread_scope(unsigned number) { begin_thread(number, __builtin_frame_address(0)); }
  ~thread_scope();
  thread_scope(const thread_scope&) = delete;
  thread_scope& operator=(const thread_scope&) = delete;
};
/// The thread has come to a barrier of its block or the grid, or to an operation of its warp, written there. `frame` is
/// that of the function that the kernel has called for it.
enum class meeting_place : std::uint8_t { warp, block, grid };
void arrive(unsigned thread, meeting_place at, const std::source_location& where, const void* frame);
/// All threads of the block have met; all lanes `mask` of a warp have (`orders`: with the memory order of a barrier;
/// `exchanges`: values); all blocks have.
void block_has_met();
void warp_has_met(unsigned warp, std::uint32_t mask, bool whole_warp, bool orders, bool exchanges);
void grid_has_met();

/// From its construction to its end, what accesses device memory is the runtime, and no access that nothing else sees
/// (inspect_options::hidden_accesses) is looked for.
class trap_pause {
 public:
  trap_pause();
  ~trap_pause();
  trap_pause(const trap_pause&) = delete;
  trap_pause& operator=(const trap_pause&) = delete;

 private:
  bool opens_;
};

// --- what the engine finds itself ------------------------------------------------------------------------------------

/// Thrown at the threads of a block that can't go on because of a finding. The launch goes on with the next block.
struct block_stopped {};

struct waiting_thread {
  unsigned thread;
  std::source_location where;
};
/// A barrier that can't open. False if nothing is watched: then it is an error.
bool divergent_barrier(const waiting_thread& one, const waiting_thread* other);
/// The lane takes the value of one that has returned or isn't in the mask.
void read_of_absent_lane(unsigned thread, const std::source_location& where);
/// The thread that runs has been stopped by the signal. False if that is an error: nothing is watched, or the signal
/// says nothing of memory.
bool stopped_by(const detail::fault_signal& signal);
/// Threads have returned before a barrier of the whole grid.
void exit_before_grid_sync(unsigned thread, const std::source_location& where);

// --- order of queued work --------------------------------------------------------------------------------------------

/// What a stream knows, and what each piece of work queued on it comes after.
struct stream_clock {
  unsigned number = 0;  ///< of the stream, from 1; 0: has queued nothing
  work_order order;
};
struct queued_work {
  work_order order;
  unsigned stream = 0;
  std::uint64_t serial = 0;  ///< of all work of the program
};
queued_work note_queued(stream_clock& on);
/// The host has waited for everything on the stream, or up to a point in one.
void note_waited(const work_order& order);

/// From its construction to its end, this thread of the system runs the piece of work. Two never run at a time.
class work_scope {
 public:
  explicit work_scope(const queued_work& work);
  ~work_scope();
  work_scope(const work_scope&) = delete;
  work_scope& operator=(const work_scope&) = delete;

 private:
  bool watched_;
};

/// From its construction to its end, what the piece of work runs is a function of the host: its accesses are the
/// host's, in the order of the stream.
class host_function_scope {
 public:
  host_function_scope();
  ~host_function_scope();
  host_function_scope(const host_function_scope&) = delete;
  host_function_scope& operator=(const host_function_scope&) = delete;

 private:
  bool watched_;
};

// --- device memory ---------------------------------------------------------------------------------------------------

void* allocate(std::size_t bytes);
void deallocate(void* memory, std::size_t bytes);
/// `managed`: the host may use it, too.
void note_allocated(void* memory, std::size_t bytes, const std::source_location& made, bool managed);
/// Memory of the host that the device may use.
void note_pinned(void* memory, std::size_t bytes, const std::source_location& made);
void note_freed(void* memory);
/// From now on the host may use the array that `memory` lies in, too.
void note_lent(const void* memory);
/// Whether the memory belonged to an array that is gone, and a kernel that uses it would be told so.
bool watched_after_free(const void* memory);
/// A variable that the device has and the host hasn't, for as long as the program runs.
void note_device_variable(const void* memory, std::size_t bytes, std::string_view name,
                          const std::source_location& made);
/// From now on code of the host may use such variables, too.
void share_device_variables();
/// Copies. What was copied before an inspection counts as written anyway.
void note_copy_to_device(const void* to, std::size_t bytes, const std::source_location& where);
/// What was never written in `from` isn't in `to` either.
void note_copy_within_device(const void* to, const void* from, std::size_t bytes);
/// Copies in a stream: that one has been queued, and, by the work that makes it, what it writes or reads.
void note_queued_copy_to_device(std::size_t bytes, const std::source_location& where);
void note_queued_copy_to_host(std::size_t bytes, std::size_t element_bytes, const std::source_location& where);
void note_copy_writes(const void* to, std::size_t bytes, const std::source_location& where);
void note_copy_reads(const void* from, std::size_t bytes, const std::source_location& where);
/// `from` or some byte after it was never written: a finding.
void note_copy_to_host(const void* from, std::size_t bytes, std::size_t element_bytes,
                       const std::source_location& where);

// --- errors that calls return ----------------------------------------------------------------------------------------

/// What a call has returned and the program hasn't looked at.
struct unchecked_error {
  std::string call;   ///< "cudaMalloc", or "the launch of fill"
  std::string error;  ///< its name: "cudaErrorInvalidValue"
  source_place where;
  std::uint64_t count = 1;
};
struct error_account {
  std::vector<unchecked_error> errors;
  std::string note;  ///< a sentence on calls whose results are dropped; empty: there is nothing to say
};
/// Whom to ask, when an inspection ends, for the errors since the program began.
void account_for_errors_by(error_account (*give_account)());

/// Bytes of a stretch of device memory that kernels, ufuncs and libraries have used, each counted once.
struct used_bytes {
  std::uint64_t read = 0;
  std::uint64_t written = 0;  ///< what a copy to the device has overwritten since doesn't count
};
/// Of the inspection that runs. The stretch lies in one array, which may have been freed if keep_use() was called
/// before.
used_bytes use_of(const void* memory, std::size_t bytes);
/// From now on what was used of an array is still known when it has been freed.
void keep_use();

}  // namespace gs::inline GS_FLAVOUR::instruments

// g++ makes plain stores of a built-in function with a constant size, and tells nobody. A call can be told of.
#if defined(__SANITIZE_THREAD__) && !defined(__CUDACC__)
extern "C" {
void* gs_called_memset(void*, int, std::size_t) __asm__("memset");
void* gs_called_memcpy(void*, const void*, std::size_t) __asm__("memcpy");
void* gs_called_memmove(void*, const void*, std::size_t) __asm__("memmove");
}
#define __builtin_memset gs_called_memset
#define __builtin_memcpy gs_called_memcpy
#define __builtin_memmove gs_called_memmove
#endif

#endif
