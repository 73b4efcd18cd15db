// The data of plots as CSV, read back by a reader of its own.

#include "workbook/plot/plot_csv.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

#include "runtime/core/error.h"

namespace {

using rows = std::vector<std::vector<std::string>>;

// RFC 4180.
rows rows_of(const std::string& path) {
  std::ifstream in(path);
  std::ostringstream content;
  content << in.rdbuf();
  rows out{{""}};
  bool quoted = false;
  const std::string text = content.str();
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string& cell = out.back().back();
    if (quoted && text[i] == '"' && i + 1 < text.size() && text[i + 1] == '"')
      cell += text[++i];
    else if (text[i] == '"')
      quoted = !quoted;
    else if (!quoted && text[i] == ',')
      out.back().emplace_back();
    else if (!quoted && text[i] == '\n')
      out.push_back({""});
    else
      cell += text[i];
  }
  EXPECT_EQ(out.back(), (std::vector<std::string>{""}));  // the last line ends
  out.pop_back();
  return out;
}

rows rows_written(const workbook::plot& p, const workbook::plot_view* visible = nullptr) {
  const std::string path = (std::filesystem::temp_directory_path() / ("plot-csv-" + std::to_string(getpid()))).string();
  write_csv(p, path, visible);
  rows out = rows_of(path);
  std::filesystem::remove(path);
  return out;
}

const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();

TEST(csv, of_lines_has_every_number_as_it_was) {
  const workbook::xy_plot p{.x = {.label = "n", .unit = "1,000"},
                            .series = {{.name = "a \"b\", c", .x = {0.1, 1e300, -0.0}, .y = {nan, inf, 1.0 / 3}},
                                       {.name = "two\nlines", .y = std::vector<float>{0.1f}}}};
  const rows r = rows_written(p);
  ASSERT_EQ(r.size(), 5u);
  EXPECT_EQ(r[0], (std::vector<std::string>{"series", "n [1,000]", "y"}));
  EXPECT_EQ(r[1], (std::vector<std::string>{"a \"b\", c", "0.1", "NaN"}));
  EXPECT_EQ(r[2][2], "inf");
  EXPECT_EQ(std::stod(r[2][1]), 1e300);
  EXPECT_EQ(std::stod(r[3][2]), 1.0 / 3);
  EXPECT_EQ(r[4][0], "two\nlines");
  EXPECT_EQ(std::stod(r[4][2]), static_cast<double>(0.1f));
}

TEST(csv, of_what_is_visible_leaves_out_the_rest) {
  const workbook::xy_plot p{.series = {{.name = "a", .y = {0, 1, 2, 3, 4}, .spread = {1, 1, 1, 1, 1}},
                                       {.name = "hidden", .y = {0, 1, 2, 3, 4}},
                                       {.name = "c", .y = {9, 9, 2, 9, 9}}}};
  workbook::plot_view view;
  view.x = {1, 3};
  view.y = {1.5, 5};
  view.hidden = {false, true};
  EXPECT_EQ(rows_written(p, &view),
            (rows{{"series", "x", "y", "spread"}, {"a", "2", "2", "1"}, {"a", "3", "3", "1"}, {"c", "2", "2", "NaN"}}));
}

TEST(csv, of_bars_has_a_line_per_category) {
  const workbook::bar_plot p{.category_label = "what",
                             .categories = {"a", "b", "c"},
                             .value = {.label = "time", .unit = "s"},
                             .groups = {{"", {1, 2, nan}}, {"other", {4, 5, 6}, {0.1, 0.2, 0.3}}}};
  EXPECT_EQ(rows_written(p), (rows{{"what", "time [s]", "other", "other, spread"},
                                   {"a", "1", "4", "0.1"},
                                   {"b", "2", "5", "0.2"},
                                   {"c", "NaN", "6", "0.3"}}));
  workbook::plot_view view;
  view.y = {1, 2};
  view.hidden = {true};
  EXPECT_EQ(rows_written(p, &view), (rows{{"what", "other", "other, spread"}, {"b", "5", "0.2"}}));
}

TEST(csv, of_a_heat_map_is_a_matrix_with_its_edges) {
  const workbook::heat_map h{
      .x = {.label = "c", .min = 0, .max = 6}, .rows = 2, .columns = 3, .values = {1, 2, 3, 4, 5, 6}};
  EXPECT_EQ(rows_written(h), (rows{{"y \\ c", "1", "3", "5"}, {"0.5", "1", "2", "3"}, {"1.5", "4", "5", "6"}}));
  workbook::plot_view view;
  view.x = {2, 6};
  view.y = {1, 2};
  EXPECT_EQ(rows_written(h, &view), (rows{{"y \\ c", "3", "5"}, {"1.5", "5", "6"}}));
}

TEST(csv, of_an_access_has_a_line_per_lane) {
  workbook::access_picture p;
  p.warp.requests = {{.space = gs::memory_space::global, .bytes = 4, .lanes = {{0, 64}, {5, 1'000'000'000'007}}}};
  EXPECT_EQ(rows_written(p), (rows{{"lane", "address", "bytes"}, {"0", "64", "4"}, {"5", "1000000000007", "4"}}));
}

TEST(csv, of_a_diagram_has_a_line_per_cell) {
  const workbook::diagram d{
      .groups = {"host", "device"},
      .cells = {{.x = 0, .y = 0.5, .text = "x, y", .group = 1}, {.x = 2, .y = 0}, {.x = 4, .y = 0}},
      .arrows = {{.from = 0, .to = 1}, {.from = 0, .to = 2}, {.from = 2, .to = 0}}};
  EXPECT_EQ(rows_written(d), (rows{{"cell", "x", "y", "width", "height", "text", "group", "arrows to"},
                                   {"0", "0", "0.5", "1", "1", "x, y", "device", "1 2"},
                                   {"1", "2", "0", "1", "1", "", "", ""},
                                   {"2", "4", "0", "1", "1", "", "", "0"}}));
}

TEST(csv, of_a_timeline_has_a_line_per_bar) {
  const workbook::timeline t{.rows = {"stream 0", "stream 1"},
                             .groups = {"copy", "kernel"},
                             .bars = {{.row = 0, .group = 0, .start = 0, .stop = 1.5},
                                      {.row = 1, .group = 1, .start = 1, .stop = 4, .text = "stir, again"},
                                      {.row = 1, .group = 0, .start = 4, .stop = 5}}};
  const std::vector<std::string> head{"row", "group", "start [ms]", "stop [ms]", "text"};
  EXPECT_EQ(rows_written(t), (rows{head,
                                   {"stream 0", "copy", "0", "1.5", ""},
                                   {"stream 1", "kernel", "1", "4", "stir, again"},
                                   {"stream 1", "copy", "4", "5", ""}}));
  workbook::plot_view view;
  view.x = {2, 3};
  EXPECT_EQ(rows_written(t, &view), (rows{head, {"stream 1", "kernel", "1", "4", "stir, again"}}));
  view.x = {};
  view.y = {0, 1};
  EXPECT_EQ(rows_written(t, &view), (rows{head, {"stream 0", "copy", "0", "1.5", ""}}));
  view.y = {};
  view.hidden = {true};
  EXPECT_EQ(rows_written(t, &view), (rows{head, {"stream 1", "kernel", "1", "4", "stir, again"}}));
}

TEST(csv, that_cannot_be_written_is_an_error) {
  try {
    write_csv(workbook::xy_plot{}, "/no/such/folder/p.csv");
    FAIL();
  } catch (const gs::error& e) {
    EXPECT_STREQ(
        e.what(),
        "writing the file /no/such/folder/p.csv: No such file or directory; check that the folder can be written to "
        "and the disk has room");
  }
}

}  // namespace
