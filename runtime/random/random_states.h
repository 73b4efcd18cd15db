#pragma once
// Making states: as many streams as there are threads, all from one seed.

#include <cstdint>
#include <span>

#include "runtime/array/device_array.h"
#include "runtime/core/config.h"
#include "runtime/core/shape.h"
#include "runtime/random/random_state.h"

namespace gs::inline GS_FLAVOUR {

/// State i of a seed: state 0 jumped i times, each time by 2^64 draws, so that streams of fewer draws never overlap.
/// Any i costs the same, about a microsecond.
///
/// Numba's state 0 is the seed's first SplitMix64 output (Steele, Lea and Flood, "Fast splittable pseudorandom number
/// generators", 2014) in both words. For one seed, 7046029254386353131, that output is 0, and every stream draws only
/// zeros. The strict state 0 is the first two outputs, which are never both 0.
random_state random_state_at(std::uint64_t seed, std::uint64_t i, random_mode mode = random_mode::numba);

/// states[k] = random_state_at(seed, subsequence_start + k), on all cores. Throws gs::error if that goes beyond state
/// 2^64 - 1, where the streams would begin to repeat.
void fill_random_states(std::span<random_state> states, std::uint64_t seed, std::uint64_t subsequence_start = 0,
                        random_mode mode = random_mode::numba);

/// An array of states on the device, row by row as fill_random_states numbers them: made on the host, one copy,
/// counted.
///   auto states = gs::random_states(64 * 24, seed);   // numba.cuda.random.create_xoroshiro128p_states
/// Throws gs::error as fill_random_states does, gs::machine_error if there is no room.
device_array<random_state> random_states(const shape& extents, std::uint64_t seed, std::uint64_t subsequence_start = 0,
                                         random_mode mode = random_mode::numba);

}  // namespace gs::inline GS_FLAVOUR
