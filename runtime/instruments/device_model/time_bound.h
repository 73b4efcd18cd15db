#pragma once
// The least time that a launch can take on a GPU: a bound computed from its work, not a prediction of its time.
//
// After the roofline model (S. Williams, A. Waterman, D. Patterson, "Roofline: an insightful visual performance model
// for multicore architectures", Communications of the ACM 52, 2009), with a roof for each level of memory whose rate is
// published:
// - Device memory: its bandwidth, from the cards' data sheets.
// - Shared memory: 32 banks of 4 bytes in each multiprocessor, each read or written once in a cycle, which is a
//   wavefront (CUDA Programming Guide, "Shared Memory").
// - L1: lies in the same memory from 7.0 on, so 128 bytes, 4 sectors, in a cycle ("NVIDIA Ampere GA102 GPU
//   Architecture", which also says that Turing has half of it); and at most one request of a warp, which takes all 32
//   load/store units of a multiprocessor for a cycle.
// - Arithmetic: a multiply-add of each lane in a cycle.
// L2 and its atomic operations have no roof here: their rates are published for few cards only.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "runtime/core/config.h"
#include "runtime/instruments/device_model/device_model.h"
#include "runtime/instruments/results/counters.h"

namespace gs::inline GS_FLAVOUR {

/// The resource that limits a launch.
enum class time_limit : std::uint8_t { memory, l1_cache, shared_memory, arithmetic };
inline constexpr std::size_t time_limit_count = 4;  ///< how many there are
/// "memory", "L1 cache", "shared memory" or "arithmetic".
std::string_view to_string(time_limit limit);

/// The least work of a launch. What is 0 bounds nothing.
struct launch_work {
  std::size_t blocks = 0;         ///< of its grid; 0: not known, taken as enough for all multiprocessors
  double memory_bytes = 0;        ///< to and from device memory
  double requests = 0;            ///< of warps, to global memory
  double sectors = 0;             ///< of global memory, over all requests
  double wavefronts = 0;          ///< of shared memory
  double float32_operations = 0;  ///< a multiply-add is two
};

/// The work of a launch, on average over all that were counted. Device memory moves each sector once that a launch
/// reads before it writes it, and once each that it writes. Arithmetic isn't counted.
launch_work work_of(const kernel_counters& counted);

/// The bound of each resource. They work at the same time, so the largest holds for the launch.
struct time_bound {
  std::array<double, time_limit_count> seconds_by{};  ///< by the number of time_limit

  /// That of one resource.
  double seconds_of(time_limit limit) const { return seconds_by[static_cast<std::size_t>(limit)]; }
  /// Of a launch that finds nothing of its arrays in L2, and whose results don't stay there. What it takes to begin and
  /// to end a launch isn't counted.
  double seconds() const;
  time_limit limited_by() const;  ///< the resource of seconds(); the first of several
  /// Of a launch whose arrays may be in L2, whatever its size.
  double seconds_from_l2() const;
  time_limit limited_from_l2_by() const;  ///< the resource of seconds_from_l2(); the first of several
};

/// What `work` takes at least on the card of `model`, at its highest clock.
time_bound time_bound_of(const device_model& model, const launch_work& work);

}  // namespace gs::inline GS_FLAVOUR
