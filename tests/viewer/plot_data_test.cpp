// What a plot caches between frames: eventually the same as reading everything anew.

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <random>
#include <thread>

#include "runtime/core/error.h"
#include "viewer/plot/plot_cache.h"
#include "viewer/plot/texture.h"
#include "viewer/window/null_surface.h"

namespace {

using viewer::plot_cache;
using workbook::heat_map;
using workbook::scale;
using workbook::xy_plot;
using workbook::xy_scales;

constexpr std::size_t several = plot_cache::many + 1009;

std::vector<float> noise(std::size_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> values(n);
  for (float& v : values) v = normal(random);
  return values;
}

template <class F>
bool until(const F& condition) {
  for (int k = 0; k < 10'000; ++k) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

void expect_same(const workbook::line_pieces& pieces, const workbook::line_pieces& expected) {
  ASSERT_EQ(pieces.size(), expected.size());
  for (std::size_t k = 0; k < pieces.size(); ++k) {
    ASSERT_EQ(pieces[k].size(), expected[k].size());
    for (std::size_t i = 0; i < pieces[k].size(); ++i) {
      ASSERT_EQ(pieces[k][i].x, expected[k][i].x);
      ASSERT_EQ(pieces[k][i].y, expected[k][i].y);
    }
  }
}

TEST(background, gives_what_the_work_gave_once_or_what_it_threw) {
  viewer::background<int> work;
  EXPECT_FALSE(work.running());
  EXPECT_FALSE(work.take());
  work.start([](std::stop_token) { return 42; });
  EXPECT_TRUE(work.running());
  std::optional<int> answer;
  ASSERT_TRUE(until([&] { return (answer = work.take()).has_value(); }));
  EXPECT_EQ(*answer, 42);
  EXPECT_FALSE(work.running());
  EXPECT_FALSE(work.take());
  work.start([](std::stop_token) -> int { throw gs::error("this", "that", "what else"); });
  EXPECT_THROW(until([&] { return work.take().has_value(); }), gs::error);
  EXPECT_FALSE(work.running());
}

TEST(background, stops_work_that_is_no_longer_wanted) {
  viewer::background<int> work;
  const auto endless = [](std::stop_token stop) {
    while (!stop.stop_requested()) std::this_thread::yield();
    return 1;
  };
  work.start(endless);
  work.start(endless);
  work.stop();
  EXPECT_FALSE(work.running());
  work.start(endless);  // and with the object
}

TEST(plot_cache, draws_long_lines_as_reading_every_point_does) {
  const auto plot = std::make_shared<const workbook::plot>(xy_plot{.series = {{.y = noise(several, 1)}}});
  const auto& p = std::get<xy_plot>(*plot);
  plot_cache data;
  data.set(plot);
  EXPECT_TRUE(data.working());
  ASSERT_TRUE(until([&] { return data.ready(); }));
  EXPECT_FALSE(data.working());
  const xy_scales s = data.scales(p), expected = scales_for(p);
  EXPECT_EQ(s.x.high(), expected.x.high());
  EXPECT_EQ(s.y.low(), expected.y.low());
  expect_same(data.line(p, 0, s, 640), reduced_line(p.series[0], s.x, s.y, 640));
}

TEST(plot_cache, shows_what_was_seen_while_another_part_is_read) {
  const auto plot = std::make_shared<const workbook::plot>(
      xy_plot{.series = {{.x = noise(several, 2), .y = noise(several, 3)},
                         {.x = noise(several, 4), .y = noise(several, 5), .style = workbook::drawn_as::points}}});
  const auto& p = std::get<xy_plot>(*plot);
  plot_cache data;
  data.set(plot);
  ASSERT_TRUE(until([&] { return data.ready(); }));
  EXPECT_EQ(data.index(0), nullptr);
  const xy_scales whole = data.scales(p), part{scale(-1, 1, false), scale(0, 1, false)};
  const auto settle = [&](const xy_scales& s) {
    return until([&] {
      data.line(p, 0, s, 300);
      data.points(p, 1, s, 300, 200);
      return !data.working();
    });
  };
  ASSERT_TRUE(settle(whole));
  const auto line = data.line(p, 0, whole, 300);
  expect_same(line, reduced_line(p.series[0], whole.x, whole.y, 300));
  const auto cloud = data.points(p, 1, whole, 300, 200);
  EXPECT_EQ(cloud.size(), reduced_points(p.series[1], whole.x, whole.y, 300, 200).size());

  const auto meanwhile = data.points(p, 1, part, 300, 200);
  EXPECT_TRUE(data.working());
  ASSERT_EQ(meanwhile.size(), cloud.size());
  for (std::size_t k = 0; k < cloud.size(); k += 997) {
    EXPECT_NEAR(meanwhile[k].x, part.x(whole.x.at(cloud[k].x)), 1e-9);
    EXPECT_NEAR(meanwhile[k].y, part.y(whole.y.at(cloud[k].y)), 1e-9);
  }
  ASSERT_TRUE(settle(part));
  EXPECT_EQ(data.points(p, 1, part, 300, 200).size(), reduced_points(p.series[1], part.x, part.y, 300, 200).size());
  data.points(p, 1, whole, 300, 200);  // goes while that is read
}

// The colour of a pixel by the book: the mean of its elements, found in the map.
std::uint32_t colour_at(const heat_map& h, const workbook::matrix_picture& m, std::size_t row, std::size_t column) {
  const auto rows = static_cast<std::size_t>(m.rows), columns = static_cast<std::size_t>(m.columns);
  const auto first = [](std::size_t k, std::size_t elements, std::size_t pixels) { return k * elements / pixels; };
  const auto last = [&](std::size_t k, std::size_t elements, std::size_t pixels) {
    return std::max(first(k, elements, pixels) + 1, first(k + 1, elements, pixels));
  };
  double sum = 0, count = 0;
  for (std::size_t r = first(row, m.part.rows, rows); r < last(row, m.part.rows, rows); ++r)
    for (std::size_t c = first(column, m.part.columns, columns); c < last(column, m.part.columns, columns); ++c)
      if (const double v = h.values[(m.part.row + r) * h.columns + m.part.column + c]; !std::isnan(v)) {
        sum += v;
        ++count;
      }
  if (count == 0) return 0;
  const workbook::colour c = map_colour(m.colours, m.value(sum / count));
  return 0xFF000000u | static_cast<std::uint32_t>(c.red << 16 | c.green << 8 | c.blue);
}

TEST(plot_cache, paints_every_pixel_of_a_heat_map_as_the_mean_of_its_elements) {
  auto values = noise(113 * 211, 6);
  for (std::size_t k = 0; k < values.size(); k += 7) values[k] = std::nanf("");
  for (std::size_t k = 0; k < 211 * 5; ++k) values[k] = std::nanf("");
  const std::vector<double> doubles(values.begin(), values.end());
  for (const heat_map& h :
       {heat_map{.rows = 113, .columns = 211, .values = values},
        heat_map{.rows = 113, .columns = 211, .values = doubles},
        heat_map{.rows = 113, .columns = 211, .values = workbook::samples::regular(-3, 3e-4, 113 * 211)}}) {
    const auto plot = std::make_shared<const workbook::plot>(h);
    plot_cache data;
    data.set(plot);
    for (const workbook::matrix_part part : {workbook::matrix_part{0, 0, 113, 211}, {3, 50, 40, 161}, {112, 210, 1, 1}})
      for (const auto& [rows, columns] : {std::pair{20, 31}, {300, 500}, {1, 1}, {113, 100}}) {
        const workbook::matrix_picture expected{part, rows, columns, workbook::colour_map::inferno,
                                                scale(-2, 2, false)};
        const auto& pixels = data.pixels(h, expected);
        ASSERT_EQ(pixels.size(), static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns));
        for (std::size_t r = 0, at = 0; r < static_cast<std::size_t>(rows); ++r)
          for (std::size_t c = 0; c < static_cast<std::size_t>(columns); ++c, ++at)
            for (const int shift : {0, 8, 16, 24})  // within a rounding of each channel
              ASSERT_NEAR(pixels[at] >> shift & 0xff, colour_at(h, expected, r, c) >> shift & 0xff, 1)
                  << r << ", " << c;
      }
  }
}

TEST(texture, sends_only_what_has_changed) {
  viewer::null_surface on({100, 100});
  viewer::texture t;
  t.set({1, 2, 3, 4, 5, 6}, 3, 2);
  EXPECT_EQ(t.sent(), 1u);
  t.set({1, 2, 3, 4, 5, 6}, 3, 2);
  EXPECT_EQ(t.sent(), 1u);
  t.set({1, 2, 3, 4, 5, 7}, 3, 2);
  EXPECT_EQ(t.sent(), 2u);
  t.set({1, 2, 3, 4, 5, 7}, 2, 3);
  EXPECT_EQ(t.sent(), 3u);
  EXPECT_EQ(t.columns(), 2);
  EXPECT_EQ(t.rows(), 3);
  EXPECT_EQ(t.pixels().back(), 7u);
  EXPECT_NE(t.id(), nullptr);
}

}  // namespace
