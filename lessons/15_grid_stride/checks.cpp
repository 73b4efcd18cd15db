// What exercise 15 is checked for.

#include "workbook/exercise.h"
#include GRIDSTRIDE_EXERCISE

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace {

constexpr std::size_t sizes[] = {0, 1, 31, 32, 33, 1009, 5000};

struct grid {
  unsigned blocks, threads;
  std::string text(std::size_t n) const {
    return "n = " + std::to_string(n) + ", grid of " + std::to_string(blocks) + " x " + std::to_string(threads);
  }
  gs::launch_options shape() const { return {.grid = blocks, .block = threads}; }
};
constexpr grid grids[] = {{1, 32}, {3, 64}, {60, 31}};

std::vector<float> random_numbers(std::size_t n) {
  static std::mt19937_64 random(workbook::seed_of_checks());
  std::normal_distribution<float> normal;
  std::vector<float> x(n);
  for (float& v : x) v = normal(random);
  return x;
}
const float poison = std::numeric_limits<float>::quiet_NaN();

void one_of_lengths(const grid& g, std::size_t n, workbook::report& report) {
  const auto x = random_numbers(n), y = random_numbers(n);
  std::vector<float> got;
  report.inspection(gs::inspect([&] {
    const auto out = gs::to_device(std::vector<float>(n, poison));
    gs::launch<lengths>(g.shape(), gs::to_device(x), gs::to_device(y), out);
    got = out.copy_to_host();
  }));
  std::size_t missing = got.size() == n ? 0 : n, wrong = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double expected = std::hypot(static_cast<double>(x[i]), static_cast<double>(y[i]));
    missing += std::isnan(got[i]);
    wrong += !std::isnan(got[i]) && std::abs(static_cast<double>(got[i]) - expected) > 1e-6 * expected;
  }
  report.check_equal("elements not computed, " + g.text(n), missing, 0);
  report.check_equal("elements wrong, " + g.text(n), wrong, 0);
}

void one_of_sums(const grid& g, std::size_t n, workbook::report& report) {
  const auto x = random_numbers(n);
  std::vector<float> got;
  report.inspection(gs::inspect([&] {
    const auto sums = gs::to_device(std::vector<float>(g.blocks * g.threads, poison));
    gs::launch<sums_of_squares>(g.shape(), gs::to_device(x), sums);
    got = sums.copy_to_host();
  }));
  std::size_t unwritten = got.empty() ? 1 : 0;
  double sum = 0, expected = 0;
  for (const float s : got) unwritten += std::isnan(s), sum += static_cast<double>(s);
  for (const float v : x) expected += static_cast<double>(v) * static_cast<double>(v);
  report.check_equal("sums not written, " + g.text(n), unwritten, 0);
  report.check_near("sum of all sums, " + g.text(n), sum, expected, 1e-5);
}

void shapes(workbook::report& report) {
  const auto check = [&](std::size_t n, int blocks) {
    const gs::launch_options shape = shape_for(n);
    report.check_equal("threads in a block for " + std::to_string(n) + " elements", shape.block.x, 128);
    report.check_equal("blocks for " + std::to_string(n) + " elements", shape.grid.x, blocks);
  };
  check(1280, 10);
  check(1281, 11);
  check(127, 1);
  check(128, 1);
  check(129, 2);
  check(1, 1);
  check(0, 1);
  check(131'072, 1024);
  check(131'073, 1024);
  check(100'000'000, 1024);
}

}  // namespace

workbook::exercise workbook::this_exercise() {
  return {.number = 15,
          .name = "grid_stride",
          .task = "two kernels that do any amount of work with any grid, and the grid for it",
          .check = [](workbook::report& report) {
            for (const grid& g : grids)
              for (const std::size_t n : sizes) one_of_lengths(g, n, report);
            for (const grid& g : grids)
              for (const std::size_t n : sizes) one_of_sums(g, n, report);
            shapes(report);
          }};
}
