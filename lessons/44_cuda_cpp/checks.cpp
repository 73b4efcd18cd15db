// What exercise 44 is checked for.

#include "workbook/exercise.h"
#include GRIDSTRIDE_EXERCISE

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace {

const float poison = std::numeric_limits<float>::quiet_NaN();

// Eighths, so that sums are exact in every order.
std::vector<float> random_positions(std::size_t n) {
  static std::mt19937_64 random(workbook::seed_of_checks());
  std::uniform_int_distribution<int> eighths(-80, 80);
  std::vector<float> x(n);
  for (float& v : x) v = static_cast<float>(eighths(random)) / 8;
  return x;
}

std::vector<float> steps_of(const std::vector<float>& position) {
  std::vector<float> step;
  for (std::size_t i = 0; i + 1 < position.size(); ++i) step.push_back(std::abs(position[i + 1] - position[i]));
  return step;
}

template <class T>
void compare(const std::string& name, const std::vector<T>& got, const std::vector<T>& expected,
             workbook::report& report) {
  if (!report.check_equal("elements of " + name, got.size(), expected.size())) return;
  for (std::size_t i = 0; i < got.size(); ++i)
    if (!(got[i] == expected[i])) {
      report.check_equal("element " + std::to_string(i) + " of " + name, got[i], expected[i]);
      return;
    }
  report.check(name, true);
}

std::size_t blocks_for(std::size_t n) { return n / block_size + 1; }

void steps(std::size_t n, workbook::report& report) {
  const std::vector<float> position = random_positions(n);
  std::vector<float> got;
  report.inspection(gs::inspect([&] {
    const auto out = gs::to_device(std::vector<float>(n - 1, poison));
    gs::launch<steps_between>({.grid = blocks_for(n), .block = block_size}, gs::to_device(position), out);
    got = out.copy_to_host();
  }));
  compare("steps_between, " + std::to_string(n) + " positions", got, steps_of(position), report);
}

void sums(std::size_t n, workbook::report& report) {
  const std::vector<float> step = steps_of(random_positions(n + 1));
  const std::size_t blocks = blocks_for(n);
  std::vector<float> got;
  const gs::inspection seen = gs::inspect([&] {
    const auto out = gs::to_device(std::vector<float>(blocks, poison));
    gs::launch<block_sums>({.grid = blocks, .block = block_size}, gs::to_device(step), out);
    got = out.copy_to_host();
  });
  report.inspection(seen);
  std::vector<float> expected(blocks);
  for (std::size_t i = 0; i < n; ++i) expected[i / block_size] += step[i];
  const std::string name = "block_sums, " + std::to_string(n) + " steps";
  compare(name, got, expected, report);
  if (!gs::can_inspect()) return;
  std::uint64_t barriers = 0;
  for (const gs::kernel_counters& k : seen.kernels) barriers += k.barriers;
  report.check(name + ": the threads of a block add in halves, with a barrier before each of the 8",
               barriers >= 8 * blocks);
}

void counts(const std::string& of, const std::vector<float>& step, workbook::report& report) {
  std::vector<unsigned> got;
  const gs::inspection seen = gs::inspect([&] { got = counted(gs::to_device(step)); });
  report.inspection(seen);
  std::vector<unsigned> expected(bins);
  for (const float s : step) ++expected[std::min<std::size_t>(bins - 1, static_cast<std::size_t>(s))];
  compare("counted, " + of, got, expected, report);
  if (!gs::can_inspect()) return;
  std::uint64_t launches = 0;
  for (const gs::kernel_counters& k : seen.kernels)
    if (k.kernel == "count") launches += k.launches;
  report.check_equal("counted, " + of + ": launches of count", launches, 1);
}

}  // namespace

workbook::exercise workbook::this_exercise() {
  return {.number = 44,
          .name = "cuda_cpp",
          .task = "the homework with gs: three bugs that came along, to be found and mended",
          .check = [](workbook::report& report) {
            for (const std::size_t n : {5, 1, 2, 31, 32, 33, 256, 257, 1009}) steps(n, report);
            for (const std::size_t n : {256, 1, 31, 32, 33, 255, 1009}) sums(n, report);
            counts("each bin once", {0, 1, 2, 3, 4, 5, 6, 7}, report);
            counts("no steps", {}, report);
            counts("steps longer than 8", {8, 8.5f, 100, 7.875f}, report);
            for (const std::size_t n : {31, 32, 33, 1009})
              counts(std::to_string(n) + " steps", steps_of(random_positions(n + 1)), report);
          }};
}
