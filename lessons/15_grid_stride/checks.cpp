// What exercise 15 is checked for.

#include "workbook/exercise.h"
#include GRIDSTRIDE_EXERCISE

#include <algorithm>
#include <cmath>
#include <cstdint>
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
  for (float& v : x) {
    do v = normal(random);
    while (std::abs(v) < 0.25f);  // so that none of them is too small to be missed
  }
  return x;
}
const float poison = std::numeric_limits<float>::quiet_NaN();

void one_of_lengths(const grid& g, std::size_t n, workbook::report& report) {
  const auto x = random_numbers(n), y = random_numbers(n);
  std::vector<float> got;
  const gs::inspection seen = gs::inspect([&] {
    const auto out = gs::to_device(std::vector<float>(n, poison));
    gs::launch<lengths>(g.shape(), gs::to_device(x), gs::to_device(y), out);
    got = out.copy_to_host();
  });
  report.inspection(seen);
  std::size_t missing = got.size() == n ? 0 : n, wrong = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double expected = std::hypot(static_cast<double>(x[i]), static_cast<double>(y[i]));
    missing += std::isnan(got[i]);
    wrong += !std::isnan(got[i]) && std::abs(static_cast<double>(got[i]) - expected) > 1e-6 * expected;
  }
  report.check_equal("elements not computed, " + g.text(n), missing, 0);
  report.check_equal("elements wrong, " + g.text(n), wrong, 0);
  if (!gs::can_inspect()) return;
  std::uint64_t writes = 0;
  for (const gs::line_counters& line : seen.lines)
    if (line.space == gs::memory_space::global && line.kind == gs::access_kind::write) writes += line.accesses;
  report.check_equal("elements written by lengths, " + g.text(n), writes, n);
  if (n >= 10 * g.blocks * g.threads)
    report.check("threads of a warp work together, " + g.text(n), workbook::lanes_together(seen) >= 16);
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

// Of ones and minus ones, a sum of squares is the number of elements in the share.
void shares(const grid& g, std::size_t n, workbook::report& report) {
  std::vector<float> x(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = i % 3 == 0 ? -1.0f : 1.0f;
  const std::size_t threads = std::size_t{g.blocks} * g.threads;
  const auto sums = gs::to_device(std::vector<float>(threads, poison));
  gs::launch<sums_of_squares>(g.shape(), gs::to_device(x), sums);
  const std::vector<float> got = sums.copy_to_host();
  double elements = 0, largest = 0;
  for (const float one : got) {
    elements += static_cast<double>(one);
    largest = std::max(largest, static_cast<double>(one));
  }
  report.check_equal("elements in all shares, " + g.text(n), elements, n);
  report.check_at_most("elements in the largest share, " + g.text(n), largest,
                       static_cast<double>((n + threads - 1) / threads));
}

void shapes(workbook::report& report) {
  const auto check = [&](std::size_t n, int blocks) {
    const gs::launch_options shape = shape_for(n);
    report.check_equal("threads in a block for " + std::to_string(n) + " elements", shape.block.x, 128);
    report.check_equal("blocks for " + std::to_string(n) + " elements", shape.grid.x, blocks);
    report.check_equal("dimensions of the launch for " + std::to_string(n) + " elements",
                       (shape.grid.y > 1) + (shape.grid.z > 1) + (shape.block.y > 1) + (shape.block.z > 1) + 1, 1);
  };
  check(1280, 10);
  check(1281, 11);
  check(127, 1);
  check(128, 1);
  check(129, 2);
  check(1, 1);
  check(0, 1);
  check(130'944, 1023);
  check(130'945, 1024);
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
            for (const grid& g : grids)
              for (const std::size_t n : sizes) shares(g, n, report);
            shapes(report);
          }};
}
