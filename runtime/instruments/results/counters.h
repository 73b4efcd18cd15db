#pragma once
// What the instruments count, by source line and by kernel. The quantities are Nsight Compute's; README.md defines
// them.

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/core/config.h"
#include "runtime/core/index3.h"
#include "runtime/instruments/results/finding.h"

namespace gs::inline GS_FLAVOUR {

/// All accesses of one kind that one line makes to one kind of memory. A request is what the lanes of a warp do
/// together, at most 32 accesses.
struct line_counters {
  std::string kernel;      ///< the function's name
  source_place where;      ///< the line, and its column
  std::string expression;  ///< the access as it is written there, "A(i, j + 1)"; empty where it isn't known
  memory_space space = memory_space::global;  ///< whose memory is accessed
  access_kind kind = access_kind::read;       ///< read, written or changed atomically
  std::string array;                          ///< the array's name; the first one's, where a line reaches several
  source_place made;                          ///< where it was made
  std::uint64_t requests = 0;                 ///< of warps
  std::uint64_t accesses = 0;                 ///< of single lanes: accesses / requests are the average active lanes
  std::uint64_t uncounted = 0;                ///< accesses beyond the first million of a warp between two barriers
  std::uint64_t bytes_used = 0;               ///< distinct bytes that the lanes of a request asked for

  // Global memory, in sectors of 32 bytes.
  std::uint64_t sectors = 0;        ///< that were moved
  std::uint64_t ideal_sectors = 0;  ///< the same bytes side by side, from a sector's start on

  // Shared memory, in wavefronts: passes over its 32 banks of 4 bytes.
  std::uint64_t wavefronts = 0;        ///< that were needed
  std::uint64_t ideal_wavefronts = 0;  ///< without bank conflicts

  // Atomic operations.
  std::uint64_t addresses = 0;         ///< distinct addresses, over all launches; in shared memory those of a block
  std::uint64_t most_per_address = 0;  ///< operations on the busiest one, in shared memory of one block
  std::uint64_t serialized = 0;        ///< sum over requests: the most lanes that share an address

  /// Adds other accesses of the same line, to other addresses.
  void add(const line_counters& other);

  /// Of a request, on average, 0 to 32.
  double active_lanes() const { return requests ? static_cast<double>(accesses) / static_cast<double>(requests) : 0; }
  std::uint64_t bytes_moved() const { return 32 * sectors; }                      ///< of global memory
  std::uint64_t bank_conflicts() const { return wavefronts - ideal_wavefronts; }  ///< wavefronts beyond the ideal
  /// On average.
  double sectors_per_request() const {
    return requests ? static_cast<double>(sectors) / static_cast<double>(requests) : 0;
  }
};

/// All launches of one kernel with the same shape of launch.
struct kernel_counters {
  std::string kernel;                    ///< the function's name
  source_place where;                    ///< the first of these launches
  index3 grid, block;                    ///< their extents
  std::uint64_t launches = 0;            ///< how many of them
  std::uint64_t threads = 0;             ///< over all launches
  std::uint64_t accesses = 0;            ///< of single threads, all kinds of memory
  std::uint64_t barriers = 0;            ///< passed by blocks
  std::uint64_t requests = 0;            ///< of warps, to global memory
  std::uint64_t sectors = 0;             ///< that these touched
  std::uint64_t wavefronts = 0;          ///< of shared memory
  std::uint64_t sectors_read = 0;        ///< distinct ones of a launch, read before it wrote them; over all launches
  std::uint64_t sectors_written = 0;     ///< distinct ones that a launch wrote, over all launches
  std::size_t static_shared_bytes = 0;   ///< of a block
  std::size_t dynamic_shared_bytes = 0;  ///< of a block
  double occupancy = 0;  ///< warps that a multiprocessor of the chosen GPU holds, of those it could hold, 0 to 1
};

/// All copies between the host and the device that one line makes: those of a call on host arrays, too. Sizes in bytes.
struct line_copies {
  source_place where = {};             ///< a line; its column is 0 where a call of the library copies for itself
  std::uint64_t copies_to_device = 0;  ///< how many
  std::uint64_t bytes_to_device = 0;   ///< in all
  std::uint64_t copies_to_host = 0;    ///< how many
  std::uint64_t bytes_to_host = 0;     ///< in all

  /// Adds other copies of the same line.
  void add(const line_copies& other);
};

/// One access of one lane.
struct lane_access {
  std::uint8_t lane = 0;      ///< its number in the warp, 0 to 31
  std::uint64_t address = 0;  ///< in bytes; global: from the array's start, shared: from the block's shared memory
};

/// One request: what the lanes of one warp did together at one line, once.
struct warp_request {
  memory_space space = memory_space::global;  ///< whose memory is accessed
  access_kind kind = access_kind::read;       ///< read, written or changed atomically
  std::uint32_t bytes = 4;                    ///< of each lane's access
  std::vector<lane_access> lanes = {};        ///< those that took part
};

/// The access picture's data: the first requests that a chosen warp made at one line.
struct warp_picture {
  std::string kernel = {};                  ///< the function's name
  source_place where = {};                  ///< the line, and its column
  std::string expression = {};              ///< the access as it is written there; empty where it isn't known
  std::string array = {};                   ///< the array's name
  source_place made = {};                   ///< where the array was made
  index3 block = {};                        ///< the warp's block
  unsigned warp = 0;                        ///< of the block
  std::vector<std::size_t> extents = {};    ///< the array's shape; empty where it isn't known
  std::uint32_t element_bytes = 4;          ///< size of an element
  std::vector<warp_request> requests = {};  ///< the first few
};

}  // namespace gs::inline GS_FLAVOUR
