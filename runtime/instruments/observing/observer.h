#pragma once
// observer: what an instrument is told while kernels run. It overrides what it wants to know; nothing else concerns it.
//
// The idea is Oclgrind's plugin interface (Price and McIntosh-Smith, "Oclgrind: An Extensible OpenCL Device Simulator",
// 2015). There, every event is a virtual call; here the instruments are final classes in a list that the compiler
// knows, so that the calls are direct, and those that nobody has overridden are gone.

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <span>

#include "runtime/core/config.h"
#include "runtime/instruments/results/counters.h"
#include "runtime/observe/observe.h"

#if GRIDSTRIDE_CHECKED

#include "runtime/instruments/memory/device_arena.h"
#include "runtime/instruments/memory/index_notes.h"
#include "runtime/instruments/memory/shadow.h"
#include "runtime/instruments/places/site_table.h"

namespace gs::inline GS_FLAVOUR {
struct inspect_options;
struct inspection;
}  // namespace gs::inline GS_FLAVOUR

namespace gs::inline GS_FLAVOUR::instruments {

struct observation;

/// An access to an array or to the block's shared memory: by a thread, or by a library's work as a whole.
struct observed_access {
  access_kind kind;
  bool reads, writes;
  memory_space space;
  std::uintptr_t address;
  std::size_t bytes;
  const noted_index* note;      ///< null where the element wasn't reached by an index
  const allocation* owner;      ///< null for shared memory
  std::uintptr_t memory_begin;  ///< the address of the array's first byte, or of the block's shared memory
  const shadow* cells;          ///< of that memory
  const void* code;             ///< null where it isn't known
  mark by;                      ///< who, when and at which line
  std::size_t offset() const { return address - memory_begin; }
};

/// Where an access by a pointer has gone that is neither in an array nor in the block's shared memory.
enum class stray_place : std::uint8_t {
  no_array,       ///< device memory that belongs to no array, or to none any more
  beyond_shared,  ///< the addresses of shared memory, but none that the block has
  host_memory,    ///< memory of the host that is no kernel's
  no_memory,      ///< nothing at all
};
struct stray_access {
  stray_place place;
  access_kind kind;
  std::uintptr_t address;
  const noted_index* note;
  const allocation* owner;  ///< the array that has been there, or begins before; null if there is none
  site where;
};

class observer {
 public:
  explicit observer(observation& observed) : observed_(observed) {}
  observer(const observer&) = delete;
  observer& operator=(const observer&) = delete;

  /// Whether the options ask for it. One that isn't wanted is told nothing.
  virtual bool wanted(const inspect_options& options) const = 0;
  bool is_on() const { return is_on_; }
  /// Whether what it finds may depend on the order of blocks and threads, so that launches are to run in several.
  virtual bool depends_on_order() const { return false; }
  void turn(bool on) { is_on_ = on; }

  // --- the inspection ---
  /// Forgets all of the one before.
  virtual void begin_inspection() {}
  virtual void end_inspection() {}
  /// Before the places of code are looked up: it may ask for more (site_table::number_of_code).
  virtual void ask_for_places() {}
  /// They are known now: the last chance to take a finding back.
  virtual void settle() {}
  /// What it has counted, or has to say.
  virtual void add_to(inspection& /*result*/) {}

  // --- the order of work ---
  /// A piece of work has been queued, or the host has waited; on any thread of the host.
  virtual void queued(const queued_work& /*work*/) {}
  virtual void waited(const work_order& /*order*/) {}

  // --- work, launches and their runs, one for each order of blocks and threads ---
  virtual void begin_work() {}
  virtual void end_work() {}
  /// The work calls a function of the host, on this thread of the system, whose accesses are told as the host's.
  virtual void begin_host_function() {}
  virtual void end_host_function() {}
  virtual void begin_launch(const launch_description& /*launch*/) {}
  virtual void begin_run() {}
  virtual void end_run() {}
  virtual void end_launch() {}

  // --- blocks ---
  virtual void enter_block(std::size_t /*number*/, bool /*goes_on*/) {}
  /// It gives way to others, and goes on later where it was left.
  virtual void set_block_aside() {}
  virtual void go_back_to_block(std::size_t /*number*/) {}
  virtual void block_has_met() {}
  virtual void grid_has_met() {}

  // --- threads ---
  virtual void begin_thread(unsigned /*number*/) {}
  /// It begins or goes on.
  virtual void enter_thread(unsigned /*number*/) {}
  /// What comes next is done by all of them on a GPU; the engine does it once, as thread 0.
  virtual void enter_all_threads(unsigned /*threads*/) {}
  /// It waits or returns.
  virtual void leave_thread() {}
  /// An exception has left it.
  virtual void thread_has_failed() {}
  virtual void note_side_by_side(std::uintptr_t /*data*/, std::size_t /*bytes*/, unsigned /*threads*/) {}

  // --- barriers, and operations of warps ---
  virtual void arrive(unsigned /*thread*/, meeting_place /*at*/, const std::source_location& /*where*/,
                      const void* /*frame*/) {}
  /// Lanes `mask` have; `exchanges`: to exchange values; `whole_warp`: they are all that are left of it.
  virtual void warp_has_met(unsigned /*warp*/, std::uint32_t /*mask*/, bool /*whole_warp*/, bool /*exchanges*/) {}
  virtual void divergent_barrier(const waiting_thread& /*one*/, const waiting_thread* /*other*/) {}
  virtual void absent_lane_read(unsigned /*thread*/, const std::source_location& /*where*/) {}
  virtual void exit_before_grid_sync(unsigned /*thread*/, const std::source_location& /*where*/) {}
  /// The thread waits, or has waited, for another one to change what it reads there.
  virtual void spins_on_plain_reads(std::uintptr_t /*address*/, site /*where*/) {}

  // --- indices and pointers ---
  /// `frame` is the depth of the stack.
  virtual void before_index(const indexing& /*i*/, std::uintptr_t /*frame*/) {}
  virtual void index_formed(const indexing& /*i*/, noted_index& /*note*/) {}
  /// It leads to a piece of nowhere (nowhere.h), as one into an array that is gone.
  virtual void index_outside(const indexing& /*i*/, std::size_t /*piece*/) {}
  virtual void index_of_freed(const noted_index& /*note*/, const allocation& /*array*/, std::size_t /*piece*/) {}
  virtual void pointer_made(std::uintptr_t /*data*/, std::size_t /*element_bytes*/,
                            std::span<const std::size_t> /*extents*/) {}
  virtual void shared_struct_taken() {}

  // --- accesses ---
  /// Of any memory. The last access before it has taken place.
  virtual void before_access(std::uintptr_t /*address*/, std::size_t /*bytes*/) {}
  /// Of these, a thread's own plain one. `frame` is the depth of the stack.
  virtual void before_plain_access(std::uintptr_t /*frame*/, const void* /*code*/) {}
  /// Before those of memset and its like.
  virtual void before_range(std::uintptr_t /*address*/, std::size_t /*bytes*/, access_kind /*kind*/,
                            const void* /*code*/) {}
  virtual void access(const observed_access& /*a*/) {}
  /// Each of the cells that it touches, before they remember it. Not where all threads of the block write it.
  virtual void access_cell(const observed_access& /*a*/, shadow& /*cells*/, cell& /*c*/, std::size_t /*offset*/) {}
  virtual void access_nowhere(std::size_t /*piece*/, access_kind /*kind*/) {}
  /// Whether that is a finding.
  virtual bool access_stray(const stray_access& /*a*/) { return false; }
  /// The thread has been stopped by the signal. Whether that is a finding, and no error.
  virtual bool stopped_by(const detail::fault_signal& /*signal*/) { return false; }
  /// All writes so far have taken place.
  virtual void writes_are_done() {}
  /// Seen by access_trap: by the instruction before `next`.
  virtual void trapped(std::uintptr_t /*address*/, access_kind /*kind*/, const void* /*next*/) {}
  /// Code of the host, on any thread of the system, is about to access memory that the device may use, too, or a
  /// variable of the device. Others may be told at the same time.
  virtual void host_access(std::uintptr_t /*address*/, std::size_t /*bytes*/, access_kind /*kind*/,
                           const void* /*code*/) {}

  // --- arrays and copies ---
  virtual void array_made(const allocation& /*array*/) {}
  virtual void array_lent(const allocation& /*array*/) {}
  virtual void array_freed(const allocation& /*array*/) {}
  virtual void copied_to_device(std::size_t /*bytes*/, const std::source_location& /*where*/) {}
  virtual void copied_to_host(std::uintptr_t /*address*/, std::size_t /*bytes*/, std::size_t /*element_bytes*/,
                              const std::source_location& /*where*/) {}

 protected:
  ~observer() = default;
  observation& observed_;

 private:
  bool is_on_ = false;
};

}  // namespace gs::inline GS_FLAVOUR::instruments

#endif
