// What exercise 24 is checked for.

#include "workbook/exercise.h"
#include GRIDSTRIDE_EXERCISE

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace {

// Normal coordinates, `away` from 0.
gs::device_array<float> normal_points(std::size_t rows, std::size_t coordinates, std::uint64_t seed, float away) {
  std::vector<float> values = gs::normal<float>({rows, coordinates}, seed).copy_to_host();
  for (float& one : values) one += away;
  gs::device_array<float> points({rows, coordinates});
  points.copy_from_host(values);
  return points;
}

struct points {
  points(std::size_t rows, std::size_t columns, std::size_t coordinates, float away = 0)
      : p(normal_points(rows, coordinates, rows + 1, away)),
        q(normal_points(columns, coordinates, columns + 2, away)),
        d(gs::to_device(std::vector<float>(rows * columns, std::numeric_limits<float>::quiet_NaN()))
              .reshape({static_cast<std::ptrdiff_t>(rows), static_cast<std::ptrdiff_t>(columns)})) {}
  gs::device_array<float> p, q, d;
};

bool right_at(std::size_t rows, std::size_t columns, std::size_t coordinates, workbook::report& report,
              float away = 0) {
  const points at(rows, columns, coordinates, away);
  if (!is_clean(gs::inspect([&] { squared_distances(at.p, at.q, at.d); }), report)) return false;
  const std::vector<float> p = at.p.copy_to_host(), q = at.q.copy_to_host(), d = at.d.copy_to_host();
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j) {
      double expected = 0;
      for (std::size_t c = 0; c < coordinates; ++c)
        expected +=
            std::pow(static_cast<double>(p[i * coordinates + c]) - static_cast<double>(q[j * coordinates + c]), 2);
      // Every difference, square and sum is rounded once; nothing is negative.
      const double bound = std::ldexp(static_cast<double>(coordinates + 4), -24) * expected;
      wrong += !(std::abs(static_cast<double>(d[i * columns + j]) - expected) <= bound);
    }
  return report.check_equal("wrong distances of " + std::to_string(rows) + " x " + std::to_string(columns) +
                                " points with " + std::to_string(coordinates) + " coordinates" +
                                (away > 0 ? " far from 0" : ""),
                            wrong, 0);
}

void traffic(workbook::report& report) {
  const points at(64, 48, 32);
  const gs::inspection seen = gs::inspect([&] { squared_distances(at.p, at.q, at.d); });
  std::size_t reads = 0;
  for (const gs::line_counters& line : seen.lines)
    if (line.space == gs::memory_space::global && line.kind == gs::access_kind::read) reads += line.accesses;
  report.check_at_most("distances: reads of memory per distance and coordinate",
                       static_cast<double>(reads) / (64.0 * 48.0 * 32.0), 2.0 / side);
  check_at_most(report, "distances: sectors that are moved and not asked for", workbook::wasted_sectors(seen), 0);
}

}  // namespace

workbook::exercise workbook::this_exercise() {
  return {.number = 24,
          .name = "matmul",
          .task = "the distances between all pairs of points, by tiles in shared memory",
          .check = [](workbook::report& report) {
            constexpr std::size_t shapes[][3] = {{16, 16, 16}, {32, 48, 64}, {1, 1, 1},   {16, 16, 3}, {31, 33, 32},
                                                 {5, 97, 17},  {97, 5, 1},   {33, 1, 31}, {7, 9, 0},   {0, 5, 3}};
            for (const auto& [rows, columns, coordinates] : shapes)
              if (!right_at(rows, columns, coordinates, report)) return;
            if (!right_at(33, 17, 31, report, 1000)) return;  // where |p|^2 + |q|^2 - 2pq cancels
            if (gs::can_inspect()) traffic(report);
          }};
}
