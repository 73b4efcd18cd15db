// Axes: ranges, positions, ticks; and the reduction of many points to a picture's pixels.

#include "workbook/plot/scale.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "workbook/plot/colour.h"
#include "workbook/plot/reduce.h"

namespace scale_test {

using workbook::axis;
using workbook::interval;
using workbook::scale;

const double nan = std::nan("");

std::vector<std::string> labels(const workbook::tick_marks& marks) {
  std::vector<std::string> list;
  for (const auto& t : marks.ticks)
    if (!t.label.empty()) list.push_back(t.label);
  return list;
}

TEST(scale, maps_linearly_and_logarithmically) {
  const scale linear(-2, 6, false), log(1, 1000, true), downwards(4, 0, false);
  EXPECT_DOUBLE_EQ(linear(-2), 0);
  EXPECT_DOUBLE_EQ(linear(0), 0.25);
  EXPECT_DOUBLE_EQ(linear(6), 1);
  EXPECT_NEAR(log(10), 1.0 / 3, 1e-12);
  EXPECT_TRUE(std::isnan(log(0)));
  EXPECT_TRUE(std::isnan(log(-1)));
  EXPECT_TRUE(std::isnan(log(nan)));
  EXPECT_TRUE(std::isnan(linear(nan)));
  EXPECT_DOUBLE_EQ(downwards(1), 0.75);
}

TEST(scale, always_has_a_range) {
  const auto check = [](const axis& a, std::initializer_list<double> values) {
    interval range;
    workbook::add_extent(range, values, a.log);
    const scale s = scale_for(a, range, 0.05);
    EXPECT_LT(s.low(), s.high());
    EXPECT_TRUE(std::isfinite(s.low()) && std::isfinite(s.high()));
    EXPECT_TRUE(!a.log || s.low() > 0);
    for (double v : values)
      if (std::isfinite(v) && (!a.log || v > 0) && std::abs(v) < 1e300 && !a.min && !a.max) {
        EXPECT_GE(s(v), 0) << v;
        EXPECT_LE(s(v), 1) << v;
      }
    return s;
  };
  for (bool log : {false, true}) {
    const axis a{.log = log};
    check(a, {});
    check(a, {0});
    check(a, {5, 5, 5});
    check(a, {-5});
    check(a, {nan, std::numeric_limits<double>::infinity()});
    check(a, {-1e308, 1e308});
    check(a, {1e-308, 1});
    check(a, {1e9 + 0.1, 1e9 + 0.2});
    check({.log = log, .min = 10}, {1, 2});
    check({.log = log, .max = 0.5}, {1, 2});
    check({.log = log, .min = 2, .max = 3}, {});
    check({.log = log, .min = 1e6}, {});
  }
  // What isn't negative gets no negative part by padding.
  EXPECT_EQ(check({}, {0, 10}).low(), 0);
  const scale fixed = check({.min = 2, .max = 3}, {1, 9});
  EXPECT_EQ(fixed.low(), 2);
  EXPECT_EQ(fixed.high(), 3);
}

TEST(scale, of_everything_there_is_has_ends) {
  interval range;
  for (const double v : {1e-308, 1e308}) range.add(v);
  for (const bool log : {false, true}) {
    const scale s = scale_for({.log = log}, range, 0.06);
    EXPECT_TRUE(std::isfinite(s.high()) && s.low() < s.high());
    EXPECT_TRUE(!log || s.low() > 0);
    EXPECT_TRUE(std::isfinite(s(1)));
  }
}

TEST(ticks, stand_at_round_numbers) {
  EXPECT_EQ(labels(ticks_for(scale(0, 10, false), 5)), (std::vector<std::string>{"0", "2", "4", "6", "8", "10"}));
  EXPECT_EQ(labels(ticks_for(scale(-1, 1, false), 4)), (std::vector<std::string>{"−1.0", "−0.5", "0.0", "0.5", "1.0"}));
  EXPECT_EQ(labels(ticks_for(scale(0, 0.03, false), 3)), (std::vector<std::string>{"0.00", "0.01", "0.02", "0.03"}));
  EXPECT_EQ(labels(ticks_for(scale(0, 40000, false), 4)),
            (std::vector<std::string>{"0", "10,000", "20,000", "30,000", "40,000"}));
  EXPECT_EQ(labels(ticks_for(scale(1, 2, false, true), 6)), (std::vector<std::string>{"1", "2"}));
  EXPECT_EQ(labels(ticks_for(scale(0.9, 8.1, false, true), 4)), (std::vector<std::string>{"2", "4", "6", "8"}));
  EXPECT_EQ(labels(ticks_for(workbook::scale_for({.whole = true}, {1, 3}, 0), 9)),
            (std::vector<std::string>{"1", "2", "3"}));
  EXPECT_EQ(labels(ticks_for(scale(1.1, 1.9, false, true), 5)), std::vector<std::string>{});
  const auto large = ticks_for(scale(0, 4e6, false), 4);
  EXPECT_EQ(large.exponent, 6);
  EXPECT_EQ(labels(large), (std::vector<std::string>{"0", "1", "2", "3", "4"}));
  const auto small = ticks_for(scale(0, 3e-6, false), 3);
  EXPECT_EQ(small.exponent, -6);
  EXPECT_EQ(labels(small), (std::vector<std::string>{"0", "1", "2", "3"}));
}

TEST(ticks, of_any_range_are_few_ordered_and_inside) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> exponent(-12, 12), sign(-1, 1);
  for (int trial = 0; trial < 5000; ++trial) {
    const double a = sign(random) * std::pow(10, exponent(random)), b = sign(random) * std::pow(10, exponent(random));
    const scale s(std::min(a, b), std::max(a, b), false);
    const auto marks = ticks_for(s, 6);
    ASSERT_GE(marks.ticks.size(), 2u) << s.low() << " " << s.high();
    ASSERT_LE(marks.ticks.size(), 16u);
    for (std::size_t i = 0; i < marks.ticks.size(); ++i) {
      const auto& t = marks.ticks[i];
      ASSERT_GE(s(t.at), -1e-6);
      ASSERT_LE(s(t.at), 1 + 1e-6);
      ASSERT_TRUE(i == 0 || t.at > marks.ticks[i - 1].at);
      // The label, times the power of ten, is the place of the tick.
      std::string text = t.label;
      const bool negative = text.starts_with("−");
      if (negative) text.erase(0, std::string("−").size());
      std::erase(text, ',');
      const double value_read = (negative ? -1 : 1) * std::stod(text) * std::pow(10.0, marks.exponent);
      ASSERT_NEAR(value_read, t.at, 1e-6 * (s.high() - s.low())) << t.label;
    }
  }
}

TEST(ticks, of_logarithmic_axes_are_powers_of_ten) {
  EXPECT_EQ(labels(ticks_for(scale(1, 1000, true), 5)), (std::vector<std::string>{"1", "10", "100", "1000"}));
  EXPECT_EQ(labels(ticks_for(scale(1e3, 1e6, true), 5)), (std::vector<std::string>{"10³", "10⁴", "10⁵", "10⁶"}));
  EXPECT_EQ(labels(ticks_for(scale(1e-7, 1e-4, true), 5)).front(), "10⁻⁷");
  EXPECT_EQ(labels(ticks_for(scale(1, 10, true), 5)), (std::vector<std::string>{"1", "2", "5", "10"}));
  EXPECT_EQ(labels(ticks_for(scale(1e-3, 1e9, true), 6)),
            (std::vector<std::string>{"10⁻²", "10⁰", "10²", "10⁴", "10⁶", "10⁸"}));
  EXPECT_EQ(labels(ticks_for(scale(10, 1e5, true), 2)), (std::vector<std::string>{"10²", "10⁴"})) << "never only one";
  EXPECT_EQ(labels(ticks_for(scale(1e101, 1e199, true), 2)).size(), 4u) << "of 50 only one lies between";
  EXPECT_EQ(labels(ticks_for(scale(1e-200, 1e200, true), 6)),
            (std::vector<std::string>{"10⁻²⁰⁰", "10⁻¹⁰⁰", "10⁰", "10¹⁰⁰", "10²⁰⁰"}));
  EXPECT_EQ(ticks_for(scale(1e-200, 1e200, true), 6).ticks.size(), 21u) << "small ones at every twentieth power";
  EXPECT_GE(labels(ticks_for(scale(1.1, 1.9, true), 5)).size(), 3u);
}

TEST(axis_title, has_unit_and_power) {
  EXPECT_EQ(workbook::axis_title({.label = "time", .unit = "ms"}), "time [ms]");
  EXPECT_EQ(workbook::axis_title({.label = "elements"}, 6), "elements [10⁶]");
  EXPECT_EQ(workbook::axis_title({.label = "size", .unit = "B"}, -3), "size [10⁻³ B]");
  EXPECT_EQ(workbook::axis_title({}), "");
}

TEST(reduced_line, keeps_every_extreme_of_many_points) {
  // Against a plain reference: highest and lowest point of each pixel column.
  const std::size_t n = 1'000'003;
  const int columns = 500;
  std::mt19937 random(3);
  std::normal_distribution<float> draw;
  std::vector<float> y(n);
  for (float& v : y) v = draw(random);
  y[1234] = std::nanf("");
  const workbook::series s{.y = y};
  const scale sx(0, static_cast<double>(n - 1), false), sy(-8, 8, false);
  std::vector<double> low(columns + 1, 2), high(columns + 1, -2), got_low = low, got_high = high;
  for (std::size_t i = 0; i < n; ++i) {
    if (std::isnan(y[i])) continue;
    const auto c = static_cast<std::size_t>(sx(static_cast<double>(i)) * columns);
    low[c] = std::min(low[c], sy(static_cast<double>(y[i])));
    high[c] = std::max(high[c], sy(static_cast<double>(y[i])));
  }
  std::size_t points = 0;
  for (const auto& piece : reduced_line(s, sx, sy, columns))
    for (const auto& p : piece) {
      const auto c = static_cast<std::size_t>(p.x * columns);
      got_low[c] = std::min(got_low[c], p.y);
      got_high[c] = std::max(got_high[c], p.y);
      ++points;
    }
  EXPECT_LE(points, 4u * (columns + 1));
  EXPECT_EQ(got_low, low);
  EXPECT_EQ(got_high, high);
}

TEST(reduced_line, breaks_at_gaps) {
  const scale sx(0, 6, false), sy(0, 10, false), logarithmic(1, 10, true);
  const workbook::series s{.y = {1, 2, nan, 4, nan, nan, 7}};
  const auto pieces = reduced_line(s, sx, sy, 1000);
  ASSERT_EQ(pieces.size(), 3u);
  EXPECT_EQ(pieces[0].size(), 2u);
  EXPECT_EQ(pieces[1].size(), 1u);
  EXPECT_EQ(pieces[2].size(), 1u);
  EXPECT_EQ(reduced_line({.y = {1, 0, 3}}, sx, logarithmic, 1000).size(), 2u);  // zero has no place
  EXPECT_TRUE(reduced_line({}, sx, sy, 1000)[0].empty());
}

TEST(reduced_line, of_alternating_gaps_stays_small) {
  std::vector<float> y(1'000'000);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = i % 2 == 0 ? 1.0f : std::nanf("");
  const auto pieces = reduced_line({.y = y}, scale(0, 1e6, false), scale(0, 2, false), 500);
  EXPECT_LE(pieces.size(), 501u);
}

TEST(reduced_points, are_one_per_cell_and_inside) {
  std::vector<double> x, y;
  for (int i = 0; i < 100000; ++i) {
    x.push_back(i % 1000);
    y.push_back(i % 777);
  }
  const auto points = reduced_points({.x = x, .y = y}, scale(0, 999, false), scale(0, 776, false), 50, 20);
  EXPECT_EQ(points.size(), 1000u);
  EXPECT_TRUE(reduced_points({.y = {5, nan}}, scale(0, 1, false), scale(6, 7, false), 50, 20).empty());
}

TEST(reduced_bins, end_halfway_to_the_next_and_begin_at_zero) {
  const workbook::series s{.x = {1, 2, 4}, .y = {1, -2, 3}, .style = workbook::drawn_as::bins};
  const auto bins = reduced_bins(s, {0, 3}, scale(0, 10, false), scale(-5, 5, false), 1000);
  ASSERT_EQ(bins.size(), 3u);
  const std::array<std::array<double, 4>, 3> expected{
      {{0.05, 0.15, 0.5, 0.6}, {0.15, 0.3, 0.3, 0.5}, {0.3, 0.5, 0.5, 0.8}}};
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(bins[k].left, expected[k][0], 1e-12);
    EXPECT_NEAR(bins[k].right, expected[k][1], 1e-12);
    EXPECT_NEAR(bins[k].low, expected[k][2], 1e-12);
    EXPECT_NEAR(bins[k].high, expected[k][3], 1e-12);
  }
  const auto s_all = scales_for(workbook::xy_plot{.series = {s}});
  EXPECT_EQ(s_all.x.low(), 0.5);
  EXPECT_EQ(s_all.x.high(), 5);
}

TEST(reduced_bins, of_many_keep_the_highest_and_are_as_many_as_pixels) {
  std::vector<double> y(100'000, 1);
  y[77'777] = 9;
  for (const std::size_t n : {0, 1, 31, 32, 33, 100'000}) {
    const workbook::series s{.y = std::vector<double>(y.begin(), y.begin() + static_cast<std::ptrdiff_t>(n))};
    const auto bins = reduced_bins(s, {0, n}, scale(0, 1e5, false), scale(0, 10, false), 500);
    EXPECT_EQ(bins.empty(), n == 0);
    EXPECT_LE(bins.size(), 1001u);
    double high = 0;
    for (const auto& b : bins) high = std::max(high, b.high);
    EXPECT_NEAR(high, n == 0 ? 0 : n > 77'777 ? 0.9 : 0.1, 1e-12);
  }
}

TEST(reduced_heat_map, is_the_mean_of_rectangles) {
  const workbook::heat_map h{.rows = 4,
                             .columns = 4,
                             .values = {1, 3, nan, nan,  //
                                        5, 7, nan, 9,    //
                                        0, 0, nan, nan,  //
                                        0, 4, nan, nan}};
  const auto m = reduced_heat_map(h, 2, 2);
  ASSERT_EQ(m.values.size(), 4u);
  EXPECT_EQ(m.values[0], 4);
  EXPECT_EQ(m.values[1], 9);
  EXPECT_EQ(m.values[2], 1);
  EXPECT_TRUE(std::isnan(m.values[3]));
  EXPECT_EQ(reduced_heat_map(h, 10, 10).values.size(), 16u);
}

TEST(colours, of_series_can_be_told_apart_and_maps_end_where_they_should) {
  for (std::size_t a = 0; a < 7; ++a)
    for (std::size_t b = 0; b < a; ++b) EXPECT_FALSE(workbook::series_colour(a) == workbook::series_colour(b));
  using workbook::colour_map;
  EXPECT_EQ(map_colour(colour_map::viridis, 0), (workbook::colour{0x44, 0x01, 0x54}));
  EXPECT_EQ(map_colour(colour_map::viridis, 1), (workbook::colour{0xfd, 0xe7, 0x25}));
  EXPECT_EQ(map_colour(colour_map::grey, 2), (workbook::colour{255, 255, 255}));
  for (colour_map map : {colour_map::viridis, colour_map::inferno, colour_map::grey}) {
    // From dark to light without a step back, so that it reads in print too.
    double value_before = -1;
    for (int k = 0; k <= 100; ++k) {
      const auto c = map_colour(map, k / 100.0);
      const double light = 0.2126 * c.red + 0.7152 * c.green + 0.0722 * c.blue;
      EXPECT_GE(light, value_before);
      value_before = light;
    }
  }
  // From both ends to the lightest colour in the middle.
  const auto light_at = [](int k) {
    const auto c = map_colour(colour_map::diverging, k / 100.0);
    return 0.2126 * c.red + 0.7152 * c.green + 0.0722 * c.blue;
  };
  for (int k = 1; k <= 50; ++k) {
    EXPECT_GT(light_at(k), light_at(k - 1)) << k;
    EXPECT_GT(light_at(100 - k), light_at(101 - k)) << k;
  }
  EXPECT_EQ(map_colour(colour_map::diverging, 0.5), (workbook::colour{0xdd, 0xdd, 0xdd}));
  EXPECT_EQ(workbook::palette_index({0, 0, 0}), 16);
  EXPECT_EQ(workbook::palette_index({255, 0, 0}), 196);
  EXPECT_EQ(workbook::palette_index({118, 118, 118}), 243);
}

TEST(colours, that_diverge_have_zero_in_the_middle) {
  workbook::heat_map h{.rows = 1, .columns = 2, .values = {-1, 3}, .colours = workbook::colour_map::diverging};
  const auto range = [&h] {
    const workbook::scale s = value_scale_for(h);
    return std::pair(s.low(), s.high());
  };
  EXPECT_EQ(range(), std::pair(-3.0, 3.0));
  h.values = {2, 3};
  EXPECT_EQ(range(), std::pair(-3.0, 3.0));
  h.value.min = -1, h.value.max = 5;
  EXPECT_EQ(range(), std::pair(-1.0, 5.0)) << "unless the range says otherwise";
  h.colours = workbook::colour_map::viridis, h.value = {};
  EXPECT_EQ(range(), std::pair(2.0, 3.0));
}

TEST(extent, is_that_of_a_plain_loop_at_every_size) {
  for (const std::size_t n : {0, 1, 31, 32, 33, 1009, 100'000})
    for (const bool log : {false, true}) {
      std::vector<float> values(n);
      double low = std::numeric_limits<double>::infinity(), high = -low;
      for (std::size_t i = 0; i < n; ++i) {
        const auto k = static_cast<float>((i * 7919) % 1000) - 500;
        values[i] = i % 5 == 1 ? std::nanf("") : i % 7 == 3 ? std::numeric_limits<float>::infinity() : k;
        if (!std::isfinite(values[i]) || (log && values[i] <= 0)) continue;
        low = std::min(low, static_cast<double>(values[i]));
        high = std::max(high, static_cast<double>(values[i]));
      }
      workbook::interval range, of_doubles;
      workbook::add_extent(range, values, log);
      workbook::add_extent(of_doubles, std::vector<double>(values.begin(), values.end()), log);
      EXPECT_EQ(range.empty(), low > high) << n;
      if (low > high) continue;
      EXPECT_EQ(range.low, low) << n;
      EXPECT_EQ(range.high, high) << n;
      EXPECT_EQ(of_doubles.low, low) << n;
      EXPECT_EQ(of_doubles.high, high) << n;
    }
}

// Every range that a file can ask for has a scale, and no more ticks than fit a page.
TEST(scale, of_extreme_ranges_ends) {
  using limits = std::numeric_limits<double>;
  const double extremes[] = {-limits::infinity(),
                             -limits::max(),
                             -1e300,
                             -1,
                             -limits::denorm_min(),
                             0,
                             limits::denorm_min(),
                             1e-310,
                             limits::min(),
                             1e-300,
                             1,
                             1 + limits::epsilon(),
                             1e300,
                             limits::max(),
                             limits::infinity(),
                             limits::quiet_NaN()};
  for (const bool log : {false, true})
    for (const double low : extremes)
      for (const double high : extremes)
        for (const bool has_bounds : {false, true}) {
          workbook::axis a{.log = log};
          workbook::interval data;
          if (has_bounds) {
            a.min = low;
            a.max = high;
          } else if (low <= high) {
            data = {low, high};
          }
          const workbook::scale s = workbook::scale_for(a, data, 0.05);
          const auto place = testing::Message()
                             << low << " to " << high << (log ? " log" : "") << (has_bounds ? " with bounds" : "");
          EXPECT_TRUE(std::isfinite(s.low()) && std::isfinite(s.high())) << place;
          EXPECT_LT(s.low(), s.high()) << place;
          EXPECT_TRUE(!log || s.low() > 0) << place;
          EXPECT_LT(workbook::ticks_for(s, 5).ticks.size(), 1000u) << place;
        }
}

}  // namespace scale_test
