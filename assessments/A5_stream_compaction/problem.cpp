// Task A5, the trusted side: data of three kinds, of which as many are kept as a case says, and std::copy_if.

#include "assessments/grader/tasks/problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <limits>

#include "assessments/grader/tasks/counter_random.h"
#include "assessments/grader/tasks/elements.h"
#include "runtime/core/error.h"

namespace grader {
namespace {

const std::vector<std::string> kinds_of_samples = {"scattered", "runs", "edges"};

// None is 0, and their neighbours are other floats in each decade.
float threshold_of(const test_case& c) {
  if (c.data == "scattered") return 0.3f;
  if (c.data == "runs") return -1.7f;
  if (c.data == "edges") return 1.1f;
  refuse_data(c, kinds_of_samples);
}

float unequal_bits(std::uint64_t bits) {  // NaN, with one bit or another
  return std::bit_cast<float>((bits & 1) != 0 ? 0x7fc00000u
                                              : 0xffc00000u + static_cast<std::uint32_t>(bits >> 1 & 0xff));
}
// A value at or above the threshold, and one below it, or NaN.
float at_least(float threshold, bool on_edge, std::uint64_t bits) {
  using limits = std::numeric_limits<float>;
  if (!on_edge) return threshold + 2 * upper_uniform(bits);
  switch (bits % 4) {
    case 0:
      return threshold;
    case 1:
      return std::nextafter(threshold, limits::max());
    case 2:
      return limits::infinity();
    default:
      return threshold + upper_uniform(bits);
  }
}
float below(float threshold, bool on_edge, std::uint64_t bits) {
  using limits = std::numeric_limits<float>;
  const float x = threshold - 0.001f - 2 * upper_uniform(bits);
  if (!on_edge) return x;
  switch (bits % 6) {
    case 0:
      return std::nextafter(threshold, -limits::max());
    case 1:
      return unequal_bits(bits >> 3);
    case 2:
      return -limits::infinity();
    case 3:
      return -0.0f;
    case 4:
      return 0.0f;
    default:
      return x;
  }
}

// Whether each value is kept: `kept` of them all. Scattered, each set is as likely as any other: algorithm S of D. E.
// Knuth, The Art of Computer Programming, volume 2, 3.4.2. In runs, all lie side by side, perhaps around the end.
std::vector<bool> chosen(const test_case& c, std::uint64_t seed) {
  const std::uint64_t n = size_of(c, "values"), kept = size_of(c, "kept");
  std::vector<bool> is_kept(n);
  if (c.data == "runs") {
    const std::uint64_t first = n == 0 ? 0 : random_bits(seed, 0) % n;
    for (std::uint64_t k = 0; k < kept; ++k) is_kept[(first + k) % n] = true;
    return is_kept;
  }
  std::uint64_t wanted = kept;
  for (std::uint64_t i = 0; i < n && wanted > 0; ++i)
    if (random_bits(seed, i) % (n - i) < wanted) is_kept[i] = true, --wanted;
  return is_kept;
}

class stream_compaction_task final : public problem {
 public:
  call_plan plan(const test_case& c) const override {
    const std::uint64_t n = size_of(c, "values"), kept = size_of(c, "kept");
    if (kept > n)
      throw gs::error(fmt::format("a call that keeps {} of {} values", kept, n), "there aren't as many",
                      "change \"kept\" in task.json");
    return {.arrays = {{.name = "values", .role = array_role::device_input, .extents = {n}},
                       {.name = "kept", .role = array_role::device_output, .extents = {kept}}},
            .numbers = {threshold_of(c)}};
  }

  void make_inputs(const test_case& c, std::uint64_t seed,
                   std::span<const std::span<std::byte>> arrays) const override {
    const float threshold = threshold_of(c);
    const std::uint64_t own = random_bits(seed, 0);
    const std::vector<bool> is_kept = chosen(c, random_bits(seed, 1));
    fill(elements<float>(arrays[0]), [&, on_edge = c.data == "edges"](std::size_t i) {
      const std::uint64_t bits = random_bits(own, i);
      return is_kept[i] ? at_least(threshold, on_edge, bits) : below(threshold, on_edge, bits);
    });
  }

  std::optional<wrong_answer> check(const test_case& c,
                                    std::span<const std::span<const std::byte>> arrays) const override {
    const auto values = elements<float>(arrays[0]), got = elements<float>(arrays[1]);
    std::vector<float> expected;
    expected.reserve(got.size());
    const float threshold = threshold_of(c);
    std::ranges::copy_if(values, std::back_inserter(expected), [=](float x) { return x >= threshold; });
    const auto bits = [](float x) { return std::bit_cast<std::uint32_t>(x); };
    const auto wrong = find_wrong(got.size(), [&](std::size_t k) { return bits(got[k]) != bits(expected[k]); });
    if (wrong.count == 0) return {};

    const std::size_t k = wrong.first;
    const auto found = std::ranges::find(expected, got[k]);
    return wrong_answer{
        .array = "kept",
        .index = {k},
        .extents = {got.size()},
        .expected = expected[k],
        .got = got[k],
        .wrong = wrong.count,
        .explanation = found == expected.end()
                           ? std::string(got[k] >= threshold ? "none of the values" : "below the threshold or NaN")
                           : fmt::format("the value that belongs to place {}", found - expected.begin())};
  }
};

}  // namespace

std::unique_ptr<problem> stream_compaction_problem() { return std::make_unique<stream_compaction_task>(); }

}  // namespace grader
