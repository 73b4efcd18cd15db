#include "runtime/random/random_states.h"

#include <fmt/format.h>

#include <bit>
#include <memory>
#include <vector>

#include "runtime/core/error.h"
#include "runtime/host/cores.h"
#include "runtime/random/linear_map.h"

namespace gs::inline GS_FLAVOUR {
namespace {

// Moves a SplitMix64 generator on and returns its output.
std::uint64_t splitmix64(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15u;
  std::uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

random_state first_state(std::uint64_t seed, random_mode mode) {
  const std::uint64_t s0 = splitmix64(seed);
  return {s0, mode == strict ? splitmix64(seed) : s0};
}

// jumps()[k] jumps 2^k times: it is the step of the generator, squared 64 + k times.
const std::vector<detail::linear_map<random_state>>& jumps() {
  static const std::vector<detail::linear_map<random_state>> powers = [] {
    detail::linear_map<random_state> power([](random_state state) {
      next_uint64(state);
      return state;
    });
    for (int k = 0; k < 64; ++k) power = power.squared();
    std::vector<detail::linear_map<random_state>> result{power};
    for (int k = 1; k < 64; ++k) result.push_back(result.back().squared());
    return result;
  }();
  return powers;
}

}  // namespace

random_state random_state_at(std::uint64_t seed, std::uint64_t i, random_mode mode) {
  random_state state = first_state(seed, mode);
  for (; i != 0; i &= i - 1) state = jumps()[static_cast<std::size_t>(std::countr_zero(i))](state);
  return state;
}

void fill_random_states(std::span<random_state> states, std::uint64_t seed, std::uint64_t subsequence_start,
                        random_mode mode) {
  constexpr std::size_t grain = 1024;  // some ten microseconds
  if (states.empty()) return;
  std::uint64_t last = 0;
  if (__builtin_add_overflow(subsequence_start, states.size() - 1, &last))
    throw error(fmt::format("{} random states from number {} on", states.size(), subsequence_start),
                "a seed has 2^64 states", "start at a lower number, or take another seed");
  const detail::linear_map<random_state>& jump = jumps().front();
  for_pieces(states.size(), grain, [&](std::size_t begin, std::size_t end) {
    random_state state = random_state_at(seed, subsequence_start + begin, mode);
    for (std::size_t i = begin; i < end; ++i) {
      states[i] = state;
      state = jump(state);
    }
  });
}

device_array<random_state> random_states(const shape& extents, std::uint64_t seed, std::uint64_t subsequence_start,
                                         random_mode mode) {
  device_array<random_state> states(extents);
  const std::size_t n = states.size();
  const auto host = std::make_unique_for_overwrite<random_state[]>(n);
  fill_random_states({host.get(), n}, seed, subsequence_start, mode);
  detail::copy_host_to_device(states.data(), nullptr, host.get(), n * sizeof(random_state));
  return states;
}

}  // namespace gs::inline GS_FLAVOUR
