// The report's model: items in order, checks, tables, plots that fit together.

#include "workbook/report.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "runtime/core/error.h"
#include "workbook/number_text.h"

namespace report_test {

template <class F>
std::string error_of(F f) {
  try {
    f();
  } catch (const gs::error& e) {
    return e.what();
  }
  return "no error";
}

TEST(report, keeps_items_in_order) {
  workbook::report r;
  r.heading("one");
  r.paragraph("two");
  r.check("three", true);
  r.timing("four", {});
  r.account("five", {});
  r.plot(workbook::xy_plot{.title = "six"});
  ASSERT_EQ(r.items().size(), 6u);
  EXPECT_EQ(std::get<workbook::heading>(r.items()[0]).text, "one");
  EXPECT_EQ(std::get<workbook::paragraph>(r.items()[1]).text, "two");
  EXPECT_EQ(std::get<workbook::check>(r.items()[2]).name, "three");
  EXPECT_EQ(std::get<workbook::timed_statement>(r.items()[3]).name, "four");
  EXPECT_EQ(std::get<workbook::account_entry>(r.items()[4]).name, "five");
  EXPECT_EQ(workbook::title_of(std::get<workbook::plot>(r.items()[5])), "six");
}

TEST(report, counts_checks) {
  workbook::report r;
  EXPECT_TRUE(r.check("yes", true));
  EXPECT_FALSE(r.check("no", false));
  EXPECT_TRUE(r.check_equal("equal", 5, 5.0));
  EXPECT_TRUE(r.check_equal("text", "a", std::string("a")));
  EXPECT_FALSE(r.check_equal("not equal", 5, 6));
  EXPECT_FALSE(r.check_equal("NaN equals nothing", std::nan(""), std::nan("")));
  EXPECT_FALSE(r.check_equal("a text is no number", "5", 5));
  EXPECT_EQ(r.checks(), 7u);
  EXPECT_EQ(r.failed_checks(), 4u);
  const auto& failed = std::get<workbook::check>(r.items()[4]);
  EXPECT_EQ(failed.got, "5");
  EXPECT_EQ(failed.expected, "6");
}

TEST(report, checks_nearness) {
  const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
  workbook::report r;
  EXPECT_TRUE(r.check_near("at the edge", 1.25, 1, 0.25));
  EXPECT_TRUE(r.check_near("below", -0.75, -1, 0.25));
  EXPECT_FALSE(r.check_near("beyond", 1.2500001, 1, 0.25));
  EXPECT_TRUE(r.check_near("zero", 0, 0, 0.25));
  EXPECT_FALSE(r.check_near("zero is exact", 1e-30, 0, 0.25));
  EXPECT_FALSE(r.check_near("nan", nan, 1, 1e9));
  EXPECT_FALSE(r.check_near("nan expected", 1, nan, 1e9));
  EXPECT_FALSE(r.check_near("inf", inf, 1, 1e9));
  EXPECT_TRUE(r.check_at_most("limit", 2, 2));
  EXPECT_FALSE(r.check_at_most("limit", 2.1, 2));
  EXPECT_FALSE(r.check_at_most("nan", nan, 2));
}

TEST(report, table_rows_can_come_later) {
  workbook::report r;
  auto& t = r.table("late", {"a", {"b", "ms"}});
  for (int i = 0; i < 100; ++i) r.paragraph("between");
  t.row(1, 2.5).row("x", true);
  EXPECT_EQ(std::get<workbook::table>(r.items()[0]).rows.size(), 2u);
  EXPECT_EQ(error_of([&] { t.row(1); }),
            "a row of the table \"late\": 1 cells for 2 columns; give one cell per column");
}

TEST(report, passes_progress_on) {
  workbook::report r;
  r.progress(1, 2);  // nobody listens
  double fraction = -1;
  std::string activity;
  r.on_progress = [&](double f, std::string_view w) {
    fraction = f;
    activity = w;
  };
  r.progress(1, 4, "half-way to half");
  EXPECT_EQ(fraction, 0.25);
  EXPECT_EQ(activity, "half-way to half");
  r.progress(5, 4);
  EXPECT_EQ(fraction, 1);
  r.progress(5, 0);
  EXPECT_EQ(fraction, 0);
}

TEST(report, refuses_plots_that_do_not_fit_together) {
  workbook::report r;
  EXPECT_EQ(
      error_of([&] { r.plot(workbook::xy_plot{.title = "p", .series = {{.name = "s", .x = {1, 2}, .y = {1}}}}); }),
      "the plot \"p\": x of \"s\" has 2 values; give 1");
  EXPECT_NE(
      error_of([&] { r.plot(workbook::xy_plot{.series = {{.x = {1}, .y = {1}, .spread = {1, 2}}}}); }).find("spread"),
      std::string::npos);
  EXPECT_NE(error_of([&] { r.plot(workbook::bar_plot{.categories = {"a"}, .groups = {{.values = {1, 2}}}}); }),
            "no error");
  EXPECT_NE(error_of([&] { r.plot(workbook::heat_map{.rows = 2, .columns = 2, .values = {1, 2, 3}}); }), "no error");
  EXPECT_EQ(error_of([&] { r.plot(workbook::xy_plot{.title = "p", .x = {.log = true, .min = 0}}); }),
            "the plot \"p\": its x axis, which is logarithmic, is to end at 0; give a positive number");
  EXPECT_EQ(error_of([&] { r.plot(workbook::xy_plot{.title = "p", .y = {.min = 2, .max = 1}}); }),
            "the plot \"p\": its y axis runs from 2 to 1; give min below max");
  EXPECT_TRUE(r.items().empty());
}

TEST(report, refuses_access_pictures_that_cannot_be_drawn) {
  workbook::report r;
  EXPECT_EQ(error_of([&] { r.access_picture("a", {}); }),
            "the access picture \"a\": there is no request 0 among 0; count requests from 0");
  gs::warp_picture warp;
  warp.requests = {{.lanes = {{0, 0}}}, {.space = gs::memory_space::local}, {.lanes = {{5, 0}, {5, 4}}}};
  EXPECT_EQ(error_of([&] { r.access_picture("a", warp, 3); }),
            "the access picture \"a\": there is no request 3 among 3; count requests from 0");
  EXPECT_EQ(error_of([&] { r.access_picture("a", warp, 1); }),
            "the access picture \"a\": its request is to local memory, which has neither sectors nor banks; choose an "
            "access to global or shared memory");
  EXPECT_EQ(error_of([&] { r.access_picture("a", warp, 2); }),
            "the cost of a request of 2 lanes, 4 bytes each: lane 5 comes twice; give one access per lane");
  EXPECT_TRUE(r.items().empty());
  r.access_picture("the first", warp);
  EXPECT_EQ(workbook::title_of(std::get<workbook::plot>(r.items().at(0))), "the first");
}

TEST(report, refuses_timelines_that_cannot_be_drawn) {
  workbook::report r;
  const auto error_of_bar = [&](workbook::timeline_bar bar) {
    return error_of(
        [&] { r.plot(workbook::timeline{.title = "t", .rows = {"a"}, .groups = {"b"}, .bars = {{}, bar}}); });
  };
  EXPECT_EQ(error_of_bar({.row = 1}), "the timeline \"t\": bar 1 lies in row 1 among 1; count rows from 0");
  EXPECT_EQ(error_of_bar({.group = 3}), "the timeline \"t\": bar 1 is of group 3 among 1; count groups from 0");
  EXPECT_EQ(error_of_bar({.start = 2, .stop = 1}),
            "the timeline \"t\": bar 1 runs from 2 to 1; give finite numbers, the earlier one first");
  EXPECT_EQ(error_of_bar({.start = 2, .stop = HUGE_VAL}),
            "the timeline \"t\": bar 1 runs from 2 to inf; give finite numbers, the earlier one first");
  EXPECT_EQ(error_of([&] { r.plot(workbook::timeline{.title = "t", .time = {.min = 2, .max = 1}}); }),
            "the plot \"t\": its time axis runs from 2 to 1; give min below max");
  EXPECT_TRUE(r.items().empty());
  EXPECT_EQ(error_of_bar({.start = std::nan(""), .stop = std::nan("")}), "no error");
}

TEST(report, shows_what_was_recorded_as_a_timeline) {
  const std::vector<gs::timeline_entry> entries{
      {.kind = gs::timeline_kind::copy_to_device, .name = "copy to the device", .stream = 0, .start = 0, .stop = 0.001},
      {.kind = gs::timeline_kind::launch, .name = "stir", .stream = 2, .start = 0.0005, .stop = 0.004},
      {.kind = gs::timeline_kind::copy_to_device, .name = "copy to the device", .stream = 1, .start = 1, .stop = 2}};
  const auto t = workbook::timeline::of("what ran", entries);
  EXPECT_EQ(t.title, "what ran");
  EXPECT_EQ(t.rows, (std::vector<std::string>{"stream 0", "stream 1", "stream 2"}));
  EXPECT_EQ(t.groups, (std::vector<std::string>{"copy to the device", "launch"}));
  ASSERT_EQ(t.bars.size(), 3u);
  EXPECT_EQ(t.bars[1].row, 2u);
  EXPECT_EQ(t.bars[1].group, 1u);
  EXPECT_EQ(t.bars[1].text, "stir");
  EXPECT_DOUBLE_EQ(t.bars[1].start, 0.5);
  EXPECT_DOUBLE_EQ(t.bars[1].stop, 4);
  EXPECT_EQ(t.bars[2].group, 0u);
  EXPECT_EQ(t.bars[2].text, "") << "the colour says it";
}

TEST(report, refuses_diagrams_that_cannot_be_drawn) {
  workbook::report r;
  const auto error_of_parts = [&](std::vector<workbook::diagram_cell> cells,
                                  std::vector<workbook::diagram_arrow> arrows = {}, double unit_width = 44) {
    return error_of([&] {
      r.plot(workbook::diagram{.title = "d",
                               .groups = {"a"},
                               .cells = std::move(cells),
                               .arrows = std::move(arrows),
                               .unit_width = unit_width});
    });
  };
  const double nan = std::nan("");
  EXPECT_EQ(error_of_parts({{}, {.x = 1, .y = nan}}),
            "the diagram \"d\": cell 1 lies at (1, nan); give finite numbers");
  EXPECT_EQ(error_of_parts({{.width = 0}}), "the diagram \"d\": cell 0 is 0 wide and 1 high; give positive numbers");
  EXPECT_EQ(error_of_parts({{.height = nan}}),
            "the diagram \"d\": cell 0 is 1 wide and nan high; give positive numbers");
  EXPECT_EQ(error_of_parts({{.group = 1}}), "the diagram \"d\": cell 0 is of group 1 among 1; count groups from 0");
  EXPECT_EQ(error_of_parts({{}, {.x = 2}}, {{.from = 0, .to = 1}, {.from = 0, .to = 2}}),
            "the diagram \"d\": arrow 1 ends at cell 2 among 2; count cells from 0");
  EXPECT_EQ(error_of_parts({{}}, {{}}), "the diagram \"d\": arrow 0 leads from cell 0 to itself; give two cells");
  EXPECT_EQ(error_of_parts({{}, {.x = 2}}, {{.from = 0, .to = 1, .group = 3}}),
            "the diagram \"d\": arrow 0 is of group 3 among 1; count groups from 0");
  EXPECT_EQ(error_of_parts({{}, {.x = 200}}),
            "the diagram \"d\": its cells take 201 x 1 units; give at most 200 in each direction");
  EXPECT_EQ(error_of_parts({{}}, {}, 0),
            "the diagram \"d\": a unit is 0 x 28 points; give more than 0 and at most 1000");
  EXPECT_TRUE(r.items().empty());
  EXPECT_EQ(error_of_parts({{}, {.x = 199, .group = 0}}, {{.from = 1, .to = 0, .group = 0}}), "no error");
}

TEST(samples, keep_values_of_any_range) {
  const std::vector<std::int16_t> narrow{-3, 0, 32767};
  const std::vector<float> single{0.1f, 2};
  const std::vector<std::int64_t> wide{1'000'000'007};
  const workbook::samples a = narrow, b = single, c = wide, d{1, 2.5}, e = workbook::samples::regular(10, 0.5, 4);
  EXPECT_EQ(a.size(), 3u);
  EXPECT_EQ(a[0], -3);
  EXPECT_EQ(a[2], 32767);
  EXPECT_EQ(b[0], static_cast<double>(0.1f));
  EXPECT_EQ(c[0], 1'000'000'007);
  EXPECT_EQ(d[1], 2.5);
  EXPECT_EQ(e.size(), 4u);
  EXPECT_EQ(e[3], 11.5);
  EXPECT_TRUE(workbook::samples().empty());
}

TEST(number_text, groups_and_rounds) {
  EXPECT_EQ(workbook::grouped(0), "0");
  EXPECT_EQ(workbook::grouped(999), "999");
  EXPECT_EQ(workbook::grouped(1000), "1,000");
  EXPECT_EQ(workbook::grouped(-1234567), "-1,234,567");
  const std::vector<std::pair<double, std::string>> cases{{0, "0"},
                                                          {3, "3"},
                                                          {3.14159, "3.142"},
                                                          {-0.5, "-0.5"},
                                                          {12345.678, "12,346"},
                                                          {9.99996, "10"},
                                                          {1e-4, "0.0001"},
                                                          {1.2346e-7, "1.235e-07"},
                                                          {6.02214076e23, "6.022e+23"},
                                                          {0.099999, "0.1"},
                                                          {123456789, "123,456,789"}};
  for (const auto& [v, text] : cases) EXPECT_EQ(workbook::significant(v, 4), text) << v;
  EXPECT_EQ(workbook::significant(std::nan(""), 4), "NaN");
  EXPECT_EQ(workbook::significant(-std::numeric_limits<double>::infinity(), 4), "-inf");
}

TEST(number_text, shows_the_fewest_digits_that_read_back) {
  const std::vector<std::pair<double, std::string>> cases{{0.1, "0.1"},
                                                          {double{0.1f}, "0.1"},
                                                          {0.5, "0.5"},
                                                          {-3, "-3"},
                                                          {0.1 + 0.2, "0.30000000000000004"},
                                                          {double{16'777'217}, "16,777,217"},
                                                          {double{1.0f / 3}, "0.33333334"},
                                                          {1.0 / 3, "0.3333333333333333"},
                                                          {double{1e30f}, "1e+30"},
                                                          {0, "0"}};
  for (const auto& [v, text] : cases) EXPECT_EQ(workbook::shortest(v), text);
  EXPECT_EQ(workbook::shortest(std::nan("")), "NaN");
  EXPECT_EQ(workbook::shortest(-std::numeric_limits<double>::infinity()), "-inf");
}

TEST(checks, show_floats_as_floats) {
  workbook::report report;
  report.check_equal("equal", 0.1f, 2.5);
  report.check_equal("widened", double{0.1f}, 0.2);
  report.check_near("near", double{0.1f}, 1.0 / 3, 0.01);
  std::vector<std::string> texts;
  for (const workbook::item& i : report.items()) {
    texts.push_back(std::get<workbook::check>(i).expected);
    texts.push_back(std::get<workbook::check>(i).got);
  }
  EXPECT_EQ(texts, (std::vector<std::string>{"2.5", "0.1", "0.2", "0.1", "0.333333333 within 0.01 of it", "0.1"}));
}

TEST(number_text, finds_the_prefix) {
  const std::vector<std::pair<workbook::quantity, std::string>> cases{
      {workbook::bytes(0), "0 B"},
      {workbook::bytes(999), "999 B"},
      {workbook::bytes(999.7), "1 kB"},
      {workbook::bytes(4e8), "400 MB"},
      {workbook::bytes(0.5), "0.5 B"},
      {workbook::bytes_per_second(27.14e9), "27.1 GB/s"},
      {workbook::operations_per_second(4e11), "400 GFLOP/s"},
      {workbook::seconds(3.42e-3), "3.42 ms"},
      {{2.5e-3, "m"}, "2.5 mm"},
      {{-1500, "V"}, "-1.5 kV"}};
  for (const auto& [q, text] : cases) EXPECT_EQ(to_text(q), text);
}

TEST(cell, writes_every_kind) {
  using workbook::cell;
  EXPECT_EQ(to_text(cell{}), "");
  EXPECT_EQ(to_text(cell{true}), "yes");
  EXPECT_EQ(to_text(cell{std::size_t{1000000}}), "1,000,000");
  EXPECT_EQ(to_text(cell{0.1f}, 9), "0.1");
  EXPECT_EQ(to_text(cell{0.1}), "0.1");
  EXPECT_EQ(to_text(cell{"text"}), "text");
  EXPECT_EQ(to_text(cell{workbook::seconds(1e-9)}), "1 ns");
}

TEST(report, puts_predictions_to_the_test) {
  workbook::parameters values({}, {{.name = "time", .question = "How long?", .unit = "s"}});
  workbook::report r;
  const auto tested = [&](double measured) {
    r.prediction(values, "time", measured);
    return std::get<workbook::tested_prediction>(r.items().back());
  };
  EXPECT_EQ(tested(0.5).measured, 0.5);
  EXPECT_EQ(tested(0.5).asked.question, "How long?");
  EXPECT_FALSE(tested(0.5).guess || tested(0.5).factor());
  values.set_guess("time", "2");
  EXPECT_EQ(tested(0.5).guess, 2);
  EXPECT_EQ(tested(0.5).factor(), 0.25);
  EXPECT_EQ(tested(6).factor(), 3);
  for (double v : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) EXPECT_FALSE(tested(v).factor());
  values.set_guess("time", "0");
  EXPECT_FALSE(tested(6).factor() || tested(0).factor());
  values.set_guess("time", "-2");
  EXPECT_EQ(tested(-6).factor(), 3);
  EXPECT_EQ(r.checks(), 0u);
  EXPECT_EQ(error_of([&] { r.prediction(values, "speed", 1); }),
            "the prediction 'speed': this lesson doesn't declare it; it has time");
}

}  // namespace report_test
