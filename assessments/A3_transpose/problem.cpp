// Task A3, the trusted side: pictures of random numbers and of random bits.

#include "assessments/grader/tasks/problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <mutex>

#include "assessments/grader/tasks/counter_random.h"
#include "assessments/grader/tasks/elements.h"
#include "runtime/core/error.h"

namespace grader {
namespace {

constexpr std::size_t most_channels = 8;
constexpr std::size_t band = 32;  // rows of the result that are compared together: whole cache lines of each input row

struct picture_shape {
  std::size_t rows, columns, channels;
};
picture_shape shape_of(const test_case& c) {
  return {size_of(c, "rows"), size_of(c, "columns"), size_of(c, "channels")};
}

// Elements of `out` that aren't those of the transposed `in`, as bits.
wrong_elements find_not_transposed(std::span<const std::uint32_t> in, std::span<const std::uint32_t> out,
                                   const picture_shape& shape) {
  const std::size_t rows = shape.rows, columns = shape.columns, channels = shape.channels;
  wrong_elements total;
  std::mutex mutex;
  gs::for_pieces(columns, band, [&](std::size_t first, std::size_t last) {
    wrong_elements here;
    for (std::size_t begin = first; begin < last; begin += band) {
      const std::size_t end = std::min(begin + band, last);
      for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t column = begin; column < end; ++column)
          for (std::size_t channel = 0; channel < channels; ++channel) {
            const std::size_t at = (column * rows + row) * channels + channel;
            if (out[at] != in[(row * columns + column) * channels + channel]) here.add({1, at});
          }
    }
    const std::lock_guard lock(mutex);
    total.add(here);
  });
  return total;
}

class transpose_task final : public problem {
 public:
  call_plan plan(const test_case& c) const override {
    const auto [rows, columns, channels] = shape_of(c);
    if (channels < 1 || channels > most_channels)
      throw gs::error(fmt::format("a picture of {} channels", channels),
                      fmt::format("A3 promises 1 to {}", most_channels), "change \"channels\" in task.json");
    return {.arrays = {{.name = "in", .role = array_role::device_input, .extents = {rows, columns, channels}},
                       {.name = "out", .role = array_role::device_output, .extents = {columns, rows, channels}}},
            .numbers = {}};
  }

  void make_inputs(const test_case& c, std::uint64_t seed,
                   std::span<const std::span<std::byte>> arrays) const override {
    if (c.data == "uniform")
      fill(elements<float>(arrays[0]), [=](std::size_t i) { return 2 * upper_uniform(random_bits(seed, i)) - 1; });
    else if (c.data == "bits")  // NaNs of all kinds, -0, numbers too small to be normal
      fill(elements<std::uint32_t>(arrays[0]),
           [=](std::size_t i) { return static_cast<std::uint32_t>(random_bits(seed, i) >> 32); });
    else
      refuse_data(c, {"uniform", "bits"});
  }

  std::optional<wrong_answer> check(const test_case& c,
                                    std::span<const std::span<const std::byte>> arrays) const override {
    const picture_shape shape = shape_of(c);
    const auto [rows, columns, channels] = shape;
    const auto in = elements<std::uint32_t>(arrays[0]), out = elements<std::uint32_t>(arrays[1]);
    const wrong_elements wrong = find_not_transposed(in, out, shape);
    if (wrong.count == 0) return {};

    const std::size_t channel = wrong.first % channels, pixel = wrong.first / channels;
    const std::size_t row = pixel % rows, column = pixel / rows;
    const std::uint32_t expected = in[(row * columns + column) * channels + channel], got = out[wrong.first];
    return wrong_answer{.array = "out",
                        .index = {column, row, channel},
                        .extents = {columns, rows, channels},
                        .expected = std::bit_cast<float>(expected),
                        .got = std::bit_cast<float>(got),
                        .wrong = wrong.count,
                        .explanation = fmt::format("in({}, {}, {}), the bits {:#010x}; out has {:#010x}", row, column,
                                                   channel, expected, got)};
  }
};

}  // namespace

std::unique_ptr<problem> transpose_problem() { return std::make_unique<transpose_task>(); }

}  // namespace grader
