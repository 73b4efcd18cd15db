// Task A3, the trusted side: matrices of random numbers and of random bits.

#include "assessments/grader/tasks/problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <mutex>

#include "assessments/grader/tasks/counter_random.h"
#include "assessments/grader/tasks/elements.h"

namespace grader {
namespace {

constexpr std::size_t band = 32;  // rows of the result that are compared together: two cache lines of each input row

// Elements of `out` that aren't those of the transposed `in`, as bits.
wrong_elements find_not_transposed(std::span<const std::uint32_t> in, std::span<const std::uint32_t> out,
                                   std::size_t rows, std::size_t columns) {
  wrong_elements total;
  std::mutex mutex;
  gs::for_pieces(columns, band, [&](std::size_t first, std::size_t last) {
    wrong_elements here;
    for (std::size_t begin = first; begin < last; begin += band) {
      const std::size_t end = std::min(begin + band, last);
      for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t column = begin; column < end; ++column)
          if (out[column * rows + row] != in[row * columns + column]) here.add({1, column * rows + row});
    }
    const std::lock_guard lock(mutex);
    total.add(here);
  });
  return total;
}

class transpose_task final : public problem {
 public:
  call_plan plan(const test_case& c) const override {
    const std::size_t rows = size_of(c, "rows"), columns = size_of(c, "columns");
    return {.arrays = {{.name = "in", .role = array_role::device_input, .extents = {rows, columns}},
                       {.name = "out", .role = array_role::device_output, .extents = {columns, rows}}},
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
    const std::size_t rows = size_of(c, "rows"), columns = size_of(c, "columns");
    const auto in = elements<std::uint32_t>(arrays[0]), out = elements<std::uint32_t>(arrays[1]);
    const wrong_elements wrong = find_not_transposed(in, out, rows, columns);
    if (wrong.count == 0) return {};

    const std::size_t row = wrong.first % rows, column = wrong.first / rows;
    const std::uint32_t expected = in[row * columns + column], got = out[wrong.first];
    return wrong_answer{
        .array = "out",
        .index = {column, row},
        .extents = {columns, rows},
        .expected = std::bit_cast<float>(expected),
        .got = std::bit_cast<float>(got),
        .wrong = wrong.count,
        .explanation = fmt::format("in({}, {}), the bits {:#010x}; out has {:#010x}", row, column, expected, got)};
  }
};

}  // namespace

std::unique_ptr<problem> transpose_problem() { return std::make_unique<transpose_task>(); }

}  // namespace grader
