// The index of a series: what it draws is what reading every point would draw, pixel by pixel.

#include "workbook/plot/series_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "workbook/plot/plot_view.h"

namespace series_index_test {

using workbook::place;
using workbook::samples;
using workbook::scale;
using workbook::series;
using workbook::series_index;

const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();

// The part of a series that lines of a plot come from: the points inside and the neighbours.
series part_of(const series& s, std::size_t begin, std::size_t end) {
  std::vector<double> x, y;
  for (std::size_t i = begin; i < end; ++i) {
    x.push_back(x_of(s, i));
    y.push_back(s.y[i]);
  }
  return {.x = x, .y = y};
}

// First and last point that a plain walk finds between the edges, and one more at each side.
workbook::point_range plain_within(const series& s, const scale& x) {
  std::size_t begin = s.y.size(), end = 0;
  for (std::size_t i = 0; i < s.y.size(); ++i)
    if (const double at = x(x_of(s, i)); at >= 0 && at <= 1) {
      begin = std::min(begin, i);
      end = i + 1;
    }
  if (end == 0) return {0, 0};
  return {begin > 0 ? begin - 1 : 0, std::min(end + 1, s.y.size())};
}

void expect_same_line(const series& s, const scale& x, const scale& y, int columns) {
  const series_index index(s, x.log(), y.log());
  ASSERT_TRUE(index.sorted());
  const auto range = plain_within(s, x);
  if (range.end > range.begin) {
    const auto indices = index.within(s, x);
    EXPECT_EQ(indices.begin, range.begin);
    EXPECT_EQ(indices.end, range.end);
  }
  const auto indices = index.within(s, x);
  const auto expected = reduced_line(part_of(s, indices.begin, indices.end), x, y, columns);
  const auto pieces = index.line(s, x, y, columns);
  ASSERT_EQ(pieces.size(), expected.size());
  for (std::size_t k = 0; k < pieces.size(); ++k) {
    ASSERT_EQ(pieces[k].size(), expected[k].size()) << "piece " << k;
    for (std::size_t i = 0; i < pieces[k].size(); ++i) {
      ASSERT_EQ(pieces[k][i].x, expected[k][i].x) << "piece " << k << ", point " << i;
      ASSERT_EQ(pieces[k][i].y, expected[k][i].y) << "piece " << k << ", point " << i;
    }
  }
}

TEST(series_index, draws_what_reading_every_point_draws_at_every_size_and_zoom) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform(0, 1);
  for (const std::size_t n : {1u, 2u, 31u, 32u, 33u, 63u, 64u, 65u, 1009u, 20'011u, 100'003u}) {
    std::vector<double> y(n), x(n);
    double at = 0;
    for (std::size_t i = 0; i < n; ++i) {
      y[i] = normal(random);
      const double kind = uniform(random);
      if (kind < 0.01) y[i] = nan;
      if (kind > 0.995) y[i] = kind > 0.997 ? inf : -inf;
      x[i] = at += uniform(random) < 0.1 ? 0 : uniform(random);  // some lie above each other
    }
    for (std::size_t i = n / 3; i < n / 2; ++i) y[i] = nan;  // a long gap
    const double last = static_cast<double>(n);
    for (const series& s : {series{.y = y}, series{.x = x, .y = y}, series{.x = samples::regular(0, 0.5, n), .y = y}})
      for (const auto& [from, to] : {std::pair{0.0, last},
                                     {0.3 * last, 0.6 * last},
                                     {0.48 * last, 0.49 * last},
                                     {-last, 2 * last},
                                     {0.1234 * last, 0.1234 * last + 1e-3}})
        for (const int columns : {1, 7, 640}) expect_same_line(s, {from, to, false}, {-3, 3, false}, columns);
  }
}

TEST(series_index, knows_logarithmic_axes) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  std::vector<double> x(5003), y(5003);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = std::max(0.0, static_cast<double>(i) - 3);  // the first have no place
    y[i] = normal(random);                             // neither has half of these
  }
  for (const auto& [from, to] : {std::pair{1.0, 5000.0}, {10.0, 20.0}, {0.01, 1e6}})
    for (const int columns : {3, 500}) expect_same_line({.x = x, .y = y}, {from, to, true}, {1e-3, 10, true}, columns);
}

TEST(series_index, has_the_extent_of_the_data) {
  const series_index index({.x = {1, 2, 5}, .y = {-1, nan, 7}, .spread = {1, 0, 2}}, false, false);
  EXPECT_EQ(index.extent().x.low, 1);
  EXPECT_EQ(index.extent().x.high, 5);
  EXPECT_EQ(index.extent().y.low, -2);
  EXPECT_EQ(index.extent().y.high, 9);
  EXPECT_TRUE(series_index({}, false, false).extent().y.empty());
}

TEST(series_index, tells_what_is_not_sorted) {
  EXPECT_TRUE(series_index({.x = {1, 1, 2}, .y = {0, 0, 0}}, false, false).sorted());
  EXPECT_FALSE(series_index({.x = {1, 3, 2}, .y = {0, 0, 0}}, false, false).sorted());
  EXPECT_FALSE(series_index({.x = {1, nan, 2}, .y = {0, 0, 0}}, false, false).sorted());
  EXPECT_FALSE(
      series_index({.x = samples::regular(5, -1, 100), .y = samples::regular(0, 1, 100)}, false, false).sorted());
  EXPECT_TRUE(series_index({}, false, false).sorted());
  EXPECT_TRUE(series_index({}, false, false).line({}, {0, 1, false}, {0, 1, false}, 10)[0].empty());
}

TEST(part_of, is_the_range_asked_for_in_the_direction_of_the_axis) {
  const scale up(0, 10, false), down(10, 0, false), log(1, 100, true);
  const auto part = workbook::part_of(down, workbook::plot_view::range{2, 4});
  EXPECT_EQ(part.low(), 4);
  EXPECT_EQ(part.high(), 2);
  EXPECT_EQ(workbook::part_of(up, workbook::plot_view::range{2, 4}).low(), 2);
  // What no axis can show: everything then.
  for (const auto& [low, high] : {std::pair{4.0, 4.0}, {5.0, 4.0}, {nan, 1.0}, {0.0, inf}})
    EXPECT_EQ(workbook::part_of(up, workbook::plot_view::range{low, high}).high(), 10);
  EXPECT_EQ(workbook::part_of(log, workbook::plot_view::range{-1, 10}).high(), 100);
  EXPECT_EQ(workbook::part_of(up, {}).high(), 10);
}

TEST(scale, finds_the_value_at_a_place) {
  for (const scale& s : {scale(-2, 6, false), scale(6, -2, false), scale(1e-3, 1e5, true)})
    for (const double fraction : {0.0, 0.1, 0.5, 1.0, 1.5}) EXPECT_NEAR(s(s.at(fraction)), fraction, 1e-12);
}

}  // namespace series_index_test
