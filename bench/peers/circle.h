#pragma once
// Random numbers by hand: xoroshiro128+ (Blackman and Vigna, 2018) eight streams to a vector, OpenMP over the cores.

#include <cstddef>
#include <cstdint>
#include <span>

namespace bench::peers {

/// The two words of one stream.
struct stream_words {
  std::uint64_t s0, s1;
};

/// Each stream throws `darts` darts (x, y) at the unit square, x and y in [0, 1] as Numba's float32 uniforms; how many
/// lie within the unit circle. Chains of eight streams each take turns on a core: 1, 2 or 4 of them. The number of
/// streams is a multiple of 8 Chains.
template <std::size_t Chains>
std::uint64_t darts_in_circle(std::span<const stream_words> streams, std::uint32_t darts);

/// streams[0] = (s, s), each following one 2^64 draws further: the authors' jump function, one after another, as Numba
/// makes its states.
void jump_one_by_one(std::uint64_t s, std::span<stream_words> streams);

}  // namespace bench::peers
