#pragma once
// What an instrument found: one wrong access, barrier, launch or lost array of a kernel, as data.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/core/config.h"
#include "runtime/core/index3.h"
#include "runtime/core/source_place.h"
#include "runtime/observe/access_kind.h"

namespace gs::inline GS_FLAVOUR {

/// The instruments, by the names of compute-sanitizer's tools where it has one.
enum class instrument : std::uint8_t {
  memcheck,   ///< accesses outside an array's shape, to freed memory, to the host's memory
  initcheck,  ///< reads of elements that nothing wrote
  racecheck,  ///< two accesses to one element, one of them a write, that nothing orders
  synccheck,  ///< barriers that part of the threads reach, lanes that read what CUDA leaves undefined
  leakcheck,  ///< device arrays that are still there when the program ends
  limits,     ///< launches that would fail on a GPU of the chosen model
};
namespace detail {

/// How many there are.
inline constexpr std::size_t instrument_count = 6;

}  // namespace detail

/// Its name: "memcheck".
std::string_view to_string(instrument i);

/// Whose memory it is: all blocks', a block's, a thread's.
enum class memory_space : std::uint8_t { global, shared, local };
/// "global", "shared" or "local".
std::string_view to_string(memory_space space);

/// What can be wrong, and which instrument finds it.
enum class finding_kind : std::uint8_t {
  outside_shape,          ///< memcheck: an index beyond the extent of its dimension, or negative; no array's memory
  use_after_free,         ///< memcheck: an array that was freed before the kernel was launched
  host_memory,            ///< memcheck: memory of the host, read or written in a kernel
  device_memory,          ///< memcheck: memory of the device, read or written by code of the host
  unseen_access,          ///< memcheck: with inspect_options::hidden_accesses, one that nothing else sees
  uninitialized_read,     ///< initcheck: device or shared memory that nothing wrote
  race_in_block,          ///< racecheck: two threads of one block without a barrier between them
  race_between_blocks,    ///< racecheck: two blocks of one launch
  race_between_streams,   ///< racecheck: two launches (or a launch and a copy) that no event orders
  outside_each,           ///< racecheck: what block.each doesn't share out among the threads, and yet writes
  divergent_barrier,      ///< synccheck: threads of a block wait at different barriers, or some never come
  exited_lane,            ///< synccheck: a value taken from a lane that has returned or isn't in the mask
  divergent_lanes,        ///< synccheck: lanes of a warp exchange values, and stand at different places
  exit_before_grid_sync,  ///< synccheck: a thread returns before a barrier of the whole grid
  plain_spin,             ///< synccheck: a loop that waits for another thread, with reads that aren't atomic
  leak,                   ///< leakcheck
  launch_limit,           ///< limits
  device_variable,        ///< memcheck: a variable of the device, read or written by code of the host by its name
  unchecked_error,        ///< memcheck: an error that a call has returned and the program hasn't looked at
  race_with_host,         ///< racecheck: queued work and code of the host, which hasn't waited for it
};
namespace detail {

/// How many kinds there are.
inline constexpr std::size_t finding_kind_count = 20;

}  // namespace detail

/// Its name: "race_in_block".
std::string_view to_string(finding_kind kind);
/// Which instrument finds it.
instrument instrument_of(finding_kind kind);

/// Who did something, and where it is written.
struct finding_access {
  access_kind kind = access_kind::read;  ///< read, written or changed atomically
  source_place where;                    ///< the line, and its column
  std::string kernel;                    ///< the function's name, or "copy_to_host" and the like
  index3 block, thread;                  ///< their positions
  bool has_threads = true;               ///< false for a library call or a copy, which stand for no thread and no line
};

/// Something wrong in a kernel, or in how it is used.
struct finding {
  finding_kind kind = finding_kind::outside_shape;  ///< what is wrong
  finding_access access;                            ///< who did it
  std::optional<finding_access> other;  ///< races: the earlier access, of those with the host that of the queued work;
                                        ///< a divergent barrier: who waits elsewhere
  memory_space space = memory_space::global;  ///< where the element lies
  std::string array;                          ///< the array's name in the source, or where it was made; an error's name
  source_place made;                          ///< where the array was made
  std::vector<std::ptrdiff_t> index;          ///< one per dimension; empty where it isn't known
  std::vector<std::size_t> extents;           ///< the shape; empty where it isn't known
  /// Whether gs::atomic_ref takes the element as it is written; nullopt: its type isn't known.
  std::optional<bool> takes_atomics;
  bool same_value = false;  ///< a race of two writes that wrote the same bytes
  unsigned order = 0;       ///< of blocks and threads, in which it was found first; 0: as they are numbered
  std::uint64_t count = 1;  ///< how often, at these lines
  std::string meaning;      ///< one sentence: what happened
  std::string hint;         ///< one sentence: what to do
};

}  // namespace gs::inline GS_FLAVOUR
