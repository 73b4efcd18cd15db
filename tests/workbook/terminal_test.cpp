// Output for a terminal: layout of text, the report, plots in characters, the progress bar.

#include "workbook/terminal/terminal.h"

#include <gtest/gtest.h>
#include <pty.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <map>
#include <sstream>
#include <thread>

#include "workbook/terminal/ask_guesses.h"
#include "workbook/terminal/plot_text.h"
#include "workbook/terminal/progress_bar.h"
#include "workbook/terminal/report_text.h"
#include "workbook/terminal/text_layout.h"

namespace {

using workbook::colour_depth;
using workbook::terminal;

const terminal plain{.width = 60};
const terminal ascii{.width = 60, .unicode = false};
const terminal colourful{.width = 60, .colours = colour_depth::true_colour, .interactive = true};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

bool is_ascii(const std::string& text) {
  for (unsigned char c : text)
    if (c >= 0x80) return false;
  return true;
}

// Lane k touches `bytes` bytes at address_of(k).
template <class F>
workbook::access_picture access(gs::memory_space space, unsigned bytes, F address_of, unsigned lanes = 32) {
  workbook::access_picture p{.title = "access"};
  p.warp.where = {"folder/lesson.cpp", 25, 3};
  p.warp.array = "x";
  p.warp.requests = {{.space = space, .bytes = bytes}};
  for (unsigned lane = 0; lane < lanes; ++lane)
    p.warp.requests[0].lanes.push_back({static_cast<std::uint8_t>(lane), address_of(std::uint64_t{lane})});
  return p;
}
constexpr auto in_global = gs::memory_space::global, in_shared = gs::memory_space::shared;

workbook::diagram two_rows() {
  return {
      .title = "copies",
      .groups = {"host", "device", "comes home"},
      .cells = {{.x = 0, .y = 0, .width = 2, .text = "x", .group = 0},
                {.x = 3, .y = 0, .width = 2, .text = "a long name", .group = 0},
                {.x = 0, .y = 3, .width = 2, .text = "x", .group = 1},
                {.x = 3, .y = 3, .width = 2, .text = "y", .group = 1},
                {.x = 5.5, .y = 3, .width = 1, .text = "note"}},
      .arrows = {{.from = 0, .to = 2}, {.from = 3, .to = 1, .group = 2}, {.from = 2, .to = 3}, {.from = 0, .to = 3}}};
}

// Every kind of plot, ordinary and odd.
std::vector<workbook::plot> all_plots() {
  const double nan = std::nan("");
  return {
      workbook::xy_plot{.title = "line", .series = {{.name = "µs", .y = {1, 2, nan, 4}}}},
      workbook::xy_plot{.title = "empty"},
      workbook::xy_plot{.title = "one", .series = {{.y = {3}}}},
      workbook::xy_plot{.title = "constant", .series = {{.y = {3, 3, 3}}, {.y = {0, 0}}}},
      workbook::xy_plot{.title = "log with zeros",
                        .x = {.log = true},
                        .y = {.log = true},
                        .series = {{.x = {0, 1, 10}, .y = {-1, 0, 5}, .spread = {1, 1, 9}}},
                        .references = {{.at = 3, .label = "three"}, {.at = 5, .label = "five", .vertical = true}}},
      workbook::xy_plot{.title = "huge", .series = {{.y = {-1e308, 1e308}}}},
      workbook::bar_plot{.title = "no bars"},
      workbook::bar_plot{.title = "bars",
                         .categories = {"a long name that nobody would give to a bar of a plot", "b"},
                         .groups = {{.name = "one", .values = {-1, nan}}, {.name = "two", .values = {0, 5}}}},
      workbook::heat_map{.title = "no matrix"},
      workbook::heat_map{.title = "matrix", .rows = 2, .columns = 3, .values = {1, 2, 3, 4, nan, 6}},
      workbook::heat_map{
          .title = "ribbon", .rows = 1, .columns = 1000, .values = workbook::samples::regular(0, 1, 1000)},
      workbook::heat_map{
          .title = "tower", .rows = 1000, .columns = 1, .values = workbook::samples::regular(0, 1, 1000)},
      workbook::diagram{.title = "no cells"},
      two_rows(),
      workbook::diagram{.title = "wide",
                        .cells = {{.text = "far away from the other"}, {.x = 199, .y = 199, .width = 0.5}},
                        .arrows = {{.from = 0, .to = 1}}},
      workbook::diagram{.title = "on top of each other", .cells = {{}, {.x = 0.5}}, .arrows = {{.from = 0, .to = 1}}},
      workbook::timeline{.title = "no bars"},
      workbook::timeline{.title = "rows of long names",
                         .rows = {"a long name that nobody would give to a row of a plot", "b"},
                         .groups = {"one", ""},
                         .bars = {{.row = 0, .group = 0, .start = 0, .stop = 3},
                                  {.row = 0, .group = 1, .start = 2, .stop = 2},
                                  {.row = 1, .group = 1, .start = nan, .stop = nan}}},
      workbook::access_picture{.title = "no request"},
      access(in_global, 4, [](std::uint64_t k) { return 4 * k; }),
      access(in_global, 8, [](std::uint64_t k) { return 1'000'000'000 * k; }),
      access(in_global, 16, [](std::uint64_t k) { return 123 * k; }),
      access(in_global, 1, [](std::uint64_t) { return std::uint64_t{7}; }),
      access(
          in_global, 4, [](std::uint64_t k) { return 4 * k; }, 0),
      access(in_shared, 4, [](std::uint64_t k) { return 128 * k; }),
      access(in_shared, 16, [](std::uint64_t k) { return 48 * k; }),
      access(in_shared, 2, [](std::uint64_t k) { return 2 * k; }),
      access(
          in_shared, 4, [](std::uint64_t k) { return 4 * k; }, 0),
      access(gs::memory_space::local, 4, [](std::uint64_t k) { return 4 * k; })};
}

TEST(text_layout, knows_the_width_of_characters) {
  EXPECT_EQ(workbook::display_width("abc"), 3u);
  EXPECT_EQ(workbook::display_width("µ ± σ"), 5u);
  EXPECT_EQ(workbook::display_width("\033[1mbold\033[0m"), 4u);
  EXPECT_EQ(workbook::pad_left("µ", 3), "  µ");
  EXPECT_EQ(workbook::pad_right("µ", 3), "µ  ");
  EXPECT_EQ(workbook::cut("µµµµ", 3), "µµ…");
  EXPECT_EQ(workbook::cut("abc", 3), "abc");
}

TEST(text_layout, splits_a_text_into_characters) {
  EXPECT_EQ(workbook::characters_of("aµ漢\033[1mb"), (std::vector<std::string_view>{"a", "µ", "漢", "\033[1m", "b"}));
  EXPECT_TRUE(workbook::characters_of("").empty());
}

TEST(text_layout, wraps_at_spaces) {
  EXPECT_EQ(workbook::wrap("one two three four", 9), "one two\nthree\nfour\n");
  EXPECT_EQ(workbook::wrap("one two", 20, 2), "  one two\n");
  EXPECT_EQ(workbook::wrap("averyverylongword a", 5), "averyverylongword\na\n");
  EXPECT_EQ(workbook::wrap("a\n\nb", 5), "a\n\nb\n");
  EXPECT_EQ(workbook::wrap("text\n  kept as  it is", 5), "text\n  kept as  it is\n");
}

TEST(text_layout, has_stand_ins_for_ascii) {
  EXPECT_EQ(workbook::to_ascii("1.5 µs ± 2 × 10⁻¹² ≤ π"), "1.5 us +/- 2 x 10^-12 <= pi");
  EXPECT_EQ(workbook::to_ascii("漢"), "?");
}

TEST(terminal, is_told_by_the_environment) {
  const auto detect = [](const std::map<std::string, std::string>& variables) {
    for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) unsetenv(name);
    for (const auto& [name, value] : variables) setenv(name.c_str(), value.c_str(), 1);
    return workbook::detect_terminal(-1);
  };
  EXPECT_TRUE(detect({}).unicode);
  EXPECT_TRUE(detect({{"LANG", "de_DE.UTF-8"}}).unicode);
  EXPECT_TRUE(detect({{"LANG", "C"}, {"LC_ALL", "C.utf8"}}).unicode);
  EXPECT_FALSE(detect({{"LANG", "en_US.UTF-8"}, {"LC_ALL", "C"}}).unicode);
  EXPECT_FALSE(detect({{"LANG", "POSIX"}}).unicode);
  EXPECT_EQ(detect({}).width, 80u);
  EXPECT_EQ(detect({}).colours, colour_depth::none);  // not a terminal
  EXPECT_FALSE(detect({}).interactive);
}

TEST(terminal, that_is_one_has_width_and_colours) {
  int keyboard = -1, screen = -1;
  winsize size{.ws_row = 24, .ws_col = 133, .ws_xpixel = 0, .ws_ypixel = 0};
  if (openpty(&keyboard, &screen, nullptr, nullptr, &size) != 0)
    GTEST_SKIP() << "this machine gives no pseudo-terminal: " << std::strerror(errno);
  const auto detect = [&](const std::map<std::string, std::string>& variables) {
    for (const char* name : {"NO_COLOR", "TERM", "COLORTERM", "COLUMNS"}) unsetenv(name);
    for (const auto& [name, value] : variables) setenv(name.c_str(), value.c_str(), 1);
    return workbook::detect_terminal(screen);
  };
  EXPECT_TRUE(detect({{"TERM", "xterm"}}).interactive);
  EXPECT_EQ(detect({{"TERM", "xterm"}}).width, 133u);
  EXPECT_EQ(detect({{"TERM", "xterm"}, {"COLUMNS", "50"}}).width, 50u);
  EXPECT_EQ(detect({{"TERM", "xterm"}}).colours, colour_depth::palette_256);
  EXPECT_EQ(detect({{"TERM", "xterm"}, {"COLORTERM", "truecolor"}}).colours, colour_depth::true_colour);
  EXPECT_EQ(detect({{"TERM", "xterm"}, {"COLORTERM", "truecolor"}, {"NO_COLOR", "1"}}).colours, colour_depth::none);
  EXPECT_EQ(detect({{"TERM", "dumb"}}).colours, colour_depth::none);
  EXPECT_EQ(detect({}).colours, colour_depth::none);
  close(screen);
  close(keyboard);
}

TEST(report_text, leaves_out_what_was_not_timed) {
  const double nan = std::nan("");
  workbook::report r;
  r.timing("statement", {{nan}, 1});
  r.plot(workbook::bar_plot{.title = "times", .categories = {"a"}, .groups = {{.values = {nan}}}});
  r.plot(workbook::xy_plot{.title = "half", .series = {{.y = {nan, nan}}, {.y = {nan, 1}}}});
  r.table("t", {"a", "b"}).row(workbook::seconds(nan), workbook::operations_per_second(nan));
  const std::string text = to_text(r, plain);
  EXPECT_EQ(text.find("statement"), std::string::npos);
  EXPECT_EQ(text.find("times"), std::string::npos);
  EXPECT_NE(text.find("half"), std::string::npos);
  EXPECT_NE(text.find("not timed  not timed"), std::string::npos);
  EXPECT_FALSE(workbook::only_nan(workbook::bar_plot{}));
  EXPECT_TRUE(workbook::only_nan(workbook::heat_map{.rows = 1, .columns = 1, .values = {nan}}));
}

TEST(report_text, shows_what_was_guessed_and_what_came_out) {
  const auto text_of = [](const std::string& guess, double measured, const std::string& unit = "elements") {
    workbook::parameters values({}, {{.name = "crossover", .question = "From how many on?", .unit = unit}});
    if (!guess.empty()) values.set_guess("crossover", guess);
    workbook::report r;
    r.prediction(values, "crossover", measured);
    const std::string text = to_text(r, plain);
    return text.substr(text.find('?'));
  };
  EXPECT_EQ(text_of("", 61'440),
            "? From how many on?\n  your guess  none; give one with --guess-crossover\n"
            "  measured    61,440 elements\n");
  EXPECT_EQ(
      text_of("10k", 61'440),
      "? From how many on?\n  your guess  10,000 elements\n  measured    61,440 elements, 6.1 times your guess\n");
  EXPECT_EQ(text_of("1e-3", 2e-6, "s"),
            "? From how many on?\n  your guess  1 ms\n  measured    2 µs; your guess is 500 times that\n");
  EXPECT_EQ(text_of("1.04", 1, ""),
            "? From how many on?\n  your guess  1.04\n  measured    1, within 5 % of your guess\n");
  EXPECT_EQ(text_of("5", -5, ""), "? From how many on?\n  your guess  5\n  measured    -5\n");
  EXPECT_EQ(text_of("5", HUGE_VAL), "? From how many on?\n  your guess  5 elements\n  measured    none found\n");
  EXPECT_EQ(text_of("5", std::nan("")), "? From how many on?\n  your guess  5 elements\n  measured    not measured\n");
}

TEST(ask_guesses, asks_until_it_is_told_a_number_or_nothing) {
  const auto ask = [](const std::string& typed, workbook::parameters& values, const terminal& t = plain) {
    std::istringstream in(typed);
    std::ostringstream out;
    workbook::ask_guesses(values, in, out, t);
    return out.str();
  };
  const workbook::parameters questions(
      {}, {{.name = "time", .question = "How long, ±?", .unit = "s"}, {.name = "count", .question = "How many?"}});
  const std::string time = "How long, ±?\nYour guess, in s (Enter skips): ",
                    count = "How many?\nYour guess (Enter skips): ";
  workbook::parameters values = questions;
  EXPECT_EQ(ask(" 1e-3 \r\n\n", values), time + "\n" + count + "\n");
  EXPECT_EQ(values.guess("time"), 1e-3);
  EXPECT_FALSE(values.guess("count"));
  EXPECT_EQ(ask("7k\n", values), count + "\n");  // only what has no guess yet is asked
  EXPECT_EQ(values.guess("count"), 7000);

  values = questions;
  EXPECT_EQ(ask("long\n2", values), time +
                                        "--guess-time: 'long' is not a number; give one, such as 1e5, 100k or 2.5\n"
                                        "Your guess, in s (Enter skips): \n" +
                                        count + "\n");  // the input ends at the second question
  EXPECT_EQ(values.guess("time"), 2);
  EXPECT_FALSE(values.guess("count"));

  values = questions;
  EXPECT_EQ(ask("", values), time + "\n");
  EXPECT_TRUE(is_ascii(ask("", values, ascii)));
  workbook::parameters no_questions;
  EXPECT_EQ(ask("5\n", no_questions), "");
}

TEST(report_text, shows_everything_in_order) {
  workbook::report r;
  r.about.lesson = 6;
  r.about.name = "gaussian_pdf";
  r.about.title = "Arithmetic";
  r.heading("Heading");
  r.paragraph("A paragraph.");
  r.table("Table", {"name", {"size", "MB"}}).row("one", 1.5).row("thousand", 1000);
  r.check("passes", true);
  r.check_equal("fails", 1, 2);
  r.timing("quick", {{1e-6, 1e-6}, 10}, {.bytes = 1000});
  r.account("moved", {.copies_to_device = 1, .bytes_to_device = 4'000'000});
  EXPECT_EQ(to_text(r, {.width = 90}),
            "06 gaussian_pdf  Arithmetic\n"
            "seed 1\n"
            "\n"
            "Heading\n"
            "-------\n"
            "\n"
            "A paragraph.\n"
            "\n"
            "Table\n"
            "name      size [MB]\n"
            "────────  ─────────\n"
            "one             1.5\n"
            "thousand      1,000\n"
            "\n"
            "✓ passes\n"
            "✗ fails: expected 2, got 1\n"
            "\n"
            "quick  1 µs ± 0 ns per loop (mean ± std. dev. of 2 runs, 10 loops each)  1 GB/s\n"
            "\n"
            "Ledger\n"
            "       to device  to host  launches  allocations\n"
            "─────  ─────────  ───────  ────────  ───────────\n"
            "moved   1 (4 MB)        0         0            0\n"
            "\n"
            "1 of 2 checks failed.\n");
  EXPECT_TRUE(is_ascii(to_text(r, ascii)));
  EXPECT_EQ(to_text(r, plain).find('\033'), std::string::npos);
  EXPECT_NE(to_text(r, colourful).find('\033'), std::string::npos);
}

TEST(report_text, has_a_ledger_column_for_what_seldom_happens_only_where_it_did) {
  workbook::report r;
  r.account("copied", {.copies_within_device = 2, .bytes_within_device = 8});
  r.account("waited", {.synchronizations = 1});
  EXPECT_NE(to_text(r, {.width = 100})
                .find("        to device  to host  within device  launches  allocations  synchronisations\n"
                      "──────  ─────────  ───────  ─────────────  ────────  ───────────  ────────────────\n"
                      "copied          0        0        2 (8 B)         0            0                 0\n"
                      "waited          0        0              0         0            0                 1\n"),
            std::string::npos)
      << to_text(r, {.width = 100});
  workbook::report lending;
  lending.account("exported", {.loans = 2, .lent_bytes = 8});
  EXPECT_NE(to_text(lending, plain).find("exported          0        0         0            0  2 (8 B)\n"),
            std::string::npos)
      << to_text(lending, plain);
}

TEST(report_text, breaks_a_timing_that_is_too_wide) {
  workbook::report r;
  r.timing("a statement", {{1e-6, 1e-6}, 10}, {.bytes = 1000});
  const std::string text = to_text(r, plain);
  EXPECT_NE(
      text.find("a statement\n  1 µs ± 0 ns per loop\n    (mean ± std. dev. of 2 runs, 10 loops each)\n  1 GB/s\n"),
      std::string::npos)
      << text;
}

TEST(plot_text, stays_within_the_width_and_says_its_title) {
  for (const std::size_t width : {30u, 60u, 80u, 200u})
    for (const workbook::plot& p : all_plots())
      for (terminal t : {plain, ascii, colourful}) {
        t.width = width;
        const std::string text = to_text(p, t);
        EXPECT_NE(text.find(title_of(p)), std::string::npos);
        EXPECT_TRUE(text.ends_with('\n'));
        for (const std::string& line : lines_of(text))
          EXPECT_LE(workbook::display_width(line), width) << title_of(p) << "\n" << text;
      }
}

TEST(plot_text, is_ascii_where_there_is_no_unicode) {
  for (const workbook::plot& p : all_plots()) EXPECT_TRUE(is_ascii(to_text(p, ascii))) << to_text(p, ascii);
}

TEST(plot_text, draws_points_where_they_are) {
  // y = x from corner to corner, one marker per character: column and row grow together.
  const workbook::xy_plot p{
      .x = {.min = 0, .max = 10}, .y = {.min = 0, .max = 10}, .series = {{.x = {0, 10}, .y = {0, 10}}}};
  const auto lines = lines_of(to_text(p, ascii));
  ASSERT_GE(lines.size(), 17u);
  std::size_t position_before = std::string::npos;
  int rows = 0;
  for (const std::string& line : lines) {
    const std::size_t first = line.find('*');
    if (first == std::string::npos) continue;
    ++rows;
    EXPECT_LT(first, position_before) << "the line falls to the left from the top";
    position_before = first;
  }
  EXPECT_EQ(rows, 16);
  EXPECT_EQ(lines[0].back(), '*');                          // (10, 10): top right
  EXPECT_EQ(lines[15][lines[15].find_first_of("*")], '*');  // (0, 0): bottom left, right of the axis
  EXPECT_NE(lines[0].find("10"), std::string::npos);        // with its number
  EXPECT_EQ(lines[15].find_first_not_of(" 0+|"), lines[15].find('*'));
}

TEST(plot_text, draws_braille_dots) {
  const workbook::xy_plot p{.x = {.min = 0, .max = 1},
                            .y = {.min = 0, .max = 1},
                            .series = {{.y = {0, 1}, .style = workbook::drawn_as::points}}};
  const std::string text = to_text(p, plain);
  EXPECT_NE(text.find("⡀"), std::string::npos) << text;  // lower left dot of the lower left character
  EXPECT_NE(text.find("⠈"), std::string::npos) << text;  // upper right dot of the upper right character
}

TEST(plot_text, tells_series_apart_without_colours) {
  const workbook::xy_plot p{.series = {{.name = "first", .y = {0, 0}}, {.name = "second", .y = {1, 1}}}};
  EXPECT_NE(to_text(p, plain).find("● first   ○ second"), std::string::npos);
  EXPECT_NE(to_text(p, ascii).find("* first   o second"), std::string::npos);
  EXPECT_NE(to_text(p, colourful).find("\033[38;2;0;114;178m━\033[0m first"), std::string::npos);
}

TEST(plot_text, draws_bars_in_proportion) {
  const workbook::bar_plot p{.title = "bars",
                             .category_label = "who",
                             .categories = {"one", "two"},
                             .value = {.label = "time", .unit = "s"},
                             .groups = {{.values = {0.004, 0.002}}}};
  EXPECT_EQ(to_text(p, {.width = 30, .unicode = false}),
            "bars\n"
            "who  time [s]\n"
            "one |################### 4 ms\n"
            "two |######### 2 ms\n");
}

TEST(plot_text, negative_bars_grow_to_the_left) {
  const workbook::bar_plot p{.categories = {"up", "down"}, .groups = {{.values = {2, -2}}}};
  const auto lines = lines_of(to_text(p, {.width = 40, .unicode = false}));
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].find('#'), lines[1].rfind('#') + 1);
}

TEST(plot_text, shades_a_heat_map) {
  const workbook::heat_map h{.rows = 1, .columns = 2, .values = {0, 1}};
  const auto lines = lines_of(to_text(h, {.width = 40, .unicode = false}));
  const std::string& row = lines[1];
  EXPECT_NE(row.find("....."), std::string::npos) << row;
  EXPECT_NE(row.find("@@@@@"), std::string::npos) << row;
  EXPECT_LT(row.find("....."), row.find("@@@@@"));
  // In colour the ends of viridis are there.
  const std::string text = to_text(workbook::plot(h), colourful);
  EXPECT_NE(text.find("2;68;1;84m"), std::string::npos);
  EXPECT_NE(text.find("2;253;231;37m"), std::string::npos);
}

TEST(access_text, is_a_strip_of_sectors) {
  // Every third float from the second on: 12 bytes apart.
  EXPECT_EQ(to_text(access(
                        in_global, 4, [](std::uint64_t k) { return 4 + 12 * k; }, 6),
                    {.width = 80}),
            "access\n"
            "x: global read of 4 bytes at lesson.cpp:25, block (0, 0, 0), warp 0\n"
            " byte 0 │ ·  0  ·  ·  1  ·  ·  2│ ·  ·  3  ·  ·  4  ·  ·│\n"
            "byte 64 │ 5  ·  ·  ·  ·  ·  ·  ·│\n"
            "6 lanes, 3 sectors of 1 ideal, 24 of 96 bytes used\n"
            "Numbers are lanes; · moved, not asked for.\n");
  // Untouched sectors are left out; lanes that share an element are named.
  EXPECT_EQ(to_text(access(
                        in_global, 8, [](std::uint64_t k) { return k < 4 ? 8 * k : 4000; }, 8),
                    {.width = 80}),
            "access\n"
            "x: global read of 8 bytes at lesson.cpp:25, block (0, 0, 0), warp 0\n"
            "byte 0 │ 0  1  2  3│…│ *  ·  ·  ·│\n"
            "8 lanes, 2 sectors of 2 ideal, 40 of 64 bytes used\n"
            "Numbers are lanes; · moved, not asked for; * several lanes.\n"
            "* byte 4,000: lanes 4 to 7\n");
}

TEST(access_text, is_a_table_of_banks) {
  // Every second word: lanes 16 and up come back to the banks of the first 16.
  EXPECT_EQ(to_text(access(in_shared, 4, [](std::uint64_t k) { return 8 * k; }), {.width = 80}),
            "access\n"
            "x: shared read of 4 bytes at lesson.cpp:25, block (0, 0, 0), warp 0\n"
            "        bank   0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15\n"
            "wavefront  1   0  ·  1  ·  2  ·  3  ·  4  ·  5  ·  6  ·  7  ·\n"
            "wavefront  2! 16  · 17  · 18  · 19  · 20  · 21  · 22  · 23  ·\n"
            "        bank  16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31\n"
            "wavefront  1   8  ·  9  · 10  · 11  · 12  · 13  · 14  · 15  ·\n"
            "wavefront  2! 24  · 25  · 26  · 27  · 28  · 29  · 30  · 31  ·\n"
            "32 lanes, 2 wavefronts of 1 ideal, 1 bank conflict\n"
            "Numbers are lanes; · an idle bank; ! a bank conflict.\n");
}

TEST(access_text, shows_the_phases_of_wide_accesses_without_conflicts) {
  const std::string text = to_text(access(in_shared, 8, [](std::uint64_t k) { return 8 * k; }), {.width = 80});
  EXPECT_NE(text.find("wavefront  1   0  0  1  1"), std::string::npos) << text;
  EXPECT_NE(text.find("wavefront  2  16 16 17 17"), std::string::npos) << text;
  EXPECT_NE(text.find("2 wavefronts of 2 ideal, 0 bank conflicts"), std::string::npos) << text;
}

TEST(access_text, stays_short) {
  const std::string text = to_text(access(in_shared, 4, [](std::uint64_t k) { return 128 * k; }), {.width = 80});
  EXPECT_NE(text.find("wavefront 16! 15"), std::string::npos) << text;
  EXPECT_EQ(text.find("wavefront 17"), std::string::npos) << text;
  EXPECT_NE(text.find("… 16 more"), std::string::npos) << text;
  for (const workbook::plot& p : all_plots())
    if (std::holds_alternative<workbook::access_picture>(p)) {
      EXPECT_LE(lines_of(to_text(p, {.width = 80})).size(), 45u);
    }
}

TEST(access_text, counts_atomics_on_one_address) {
  auto p = access(in_global, 4, [](std::uint64_t k) { return 4 * (k % 2); });
  p.warp.requests[0].kind = gs::access_kind::atomic;
  const std::string text = to_text(p, {.width = 80});
  EXPECT_NE(text.find("global atomic of 4 bytes"), std::string::npos) << text;
  EXPECT_NE(text.find("up to 16 lanes on one address\n"), std::string::npos) << text;
  EXPECT_NE(text.find("* byte 4: lanes 1, 3, 5, 7,"), std::string::npos) << text;
}

TEST(timeline_text, has_bars_where_they_belong) {
  const workbook::timeline t{.title = "pieces",
                             .rows = {"first", "second"},
                             .groups = {"copy", "kernel"},
                             .bars = {{.row = 0, .group = 0, .start = 0, .stop = 2},
                                      {.row = 0, .group = 1, .start = 2, .stop = 4},
                                      {.row = 1, .group = 0, .start = 2, .stop = 3},
                                      {.row = 1, .group = 1, .start = 4, .stop = 4}}};
  EXPECT_EQ(to_text(t, {.width = 28, .unicode = false}),
            "pieces\n"
            "        > copy   < kernel\n"
            " first +>>>>>>>>>><<<<<<<<<<\n"
            "second +          >>>>>    <\n"
            "       ++---------+--------+\n"
            "        0         2        4\n"
            "             time [ms]\n");
  // In colour, the blocks have their group's.
  const std::string text = to_text(workbook::plot(t), colourful);
  EXPECT_NE(text.find("2;0;114;178m█"), std::string::npos) << text;
}

TEST(timeline_text, of_times_that_were_not_taken_has_none) {
  const double nan = std::nan("");
  const workbook::timeline t{.title = "untimed",
                             .rows = {"stream 0"},
                             .groups = {"copy"},
                             .bars = {{.row = 0, .group = 0, .start = nan, .stop = nan}}};
  EXPECT_TRUE(workbook::only_nan(t));
  EXPECT_FALSE(workbook::only_nan(workbook::timeline{}));
}

TEST(diagram_text, has_cells_arrows_and_a_legend) {
  workbook::diagram d{.title = "sums", .groups = {"a number", "a sum", "not used", ""}};
  d.add({.x = 0, .y = 0, .text = "1", .group = 0});
  d.add({.x = 1, .y = 0, .text = "2", .group = 0});
  d.add({.x = 0.5, .y = 2, .text = "3", .group = 1});
  d.add({.x = 4, .y = 2, .text = "n", .group = 3});
  d.arrows = {{.from = 0, .to = 2}, {.from = 1, .to = 2}, {.from = 2, .to = 3}};
  EXPECT_EQ(to_text(d, plain),
            "sums\n"
            "[ ] a number   ( ) a sum\n"
            "[1][2]\n"
            "  ▼▼\n"
            "  (3)──────▶<n>\n");
  d.arrows = {{.from = 2, .to = 1, .group = 1}, {.from = 3, .to = 2, .group = 0}};
  EXPECT_EQ(to_text(d, ascii),
            "sums\n"
            "[ ] * a number   ( ) o a sum\n"
            "[1][2]\n"
            "   ^\n"
            "  (3)<******<n>\n");
}

TEST(diagram_text, has_ascii_arrows_in_all_directions) {
  workbook::diagram d;
  for (const double y : {0.0, 5.0})
    for (const double x : {0.0, 4.0}) d.add({.x = x, .y = y, .text = "o", .group = {}});
  const auto characters_of_arrow = [&](std::size_t from, std::size_t to) {
    d.arrows = {{.from = from, .to = to}};
    std::string drawn;
    for (const char letter : to_text(d, ascii))
      if (std::string(" \no").find(letter) == std::string::npos && drawn.find(letter) == drawn.npos) drawn += letter;
    std::ranges::sort(drawn);
    return drawn;
  };
  EXPECT_EQ(characters_of_arrow(0, 1), "->");
  EXPECT_EQ(characters_of_arrow(1, 0), "-<");
  EXPECT_EQ(characters_of_arrow(0, 2), "v|");
  EXPECT_EQ(characters_of_arrow(2, 0), "^|");
  EXPECT_EQ(characters_of_arrow(0, 3), "\\v");
  EXPECT_EQ(characters_of_arrow(1, 2), "/v");
}

TEST(diagram_text, is_as_wide_as_the_terminal_at_most) {
  workbook::diagram d;
  for (int k = 0; k < 40; ++k) d.add({.x = static_cast<double>(k), .text = "12345", .group = {}});
  for (const std::string& line : lines_of(to_text(d, plain))) EXPECT_LE(workbook::display_width(line), 60u);
}

TEST(progress, is_one_line_that_fits) {
  EXPECT_EQ(workbook::progress_line("06_gaussian_pdf", 0.5, "accuracy", 4.2, {.width = 80}),
            "06_gaussian_pdf  ████████████░░░░░░░░░░░░  50 %  accuracy  4 s");
  EXPECT_EQ(workbook::progress_line("06", -1, "", 12.6, {.width = 80}), "06  13 s");
  EXPECT_EQ(workbook::display_width(workbook::progress_line("06", 1, "a long text that doesn't fit", 1, {.width = 20})),
            19u);
  EXPECT_TRUE(is_ascii(workbook::progress_line("06", 0.3, "µ", 1, ascii)));
}

// What `work` writes to standard error.
template <class F>
std::string standard_error_of(F work) {
  testing::internal::CaptureStderr();
  work();
  return testing::internal::GetCapturedStderr();
}

TEST(progress, is_shown_on_a_terminal_after_two_seconds_and_cleared) {
  using namespace std::chrono_literals;
  const auto work_for = [](std::chrono::milliseconds time, const terminal& t) {
    return standard_error_of([&] {
      workbook::progress_bar bar("06_gaussian_pdf", t);
      bar.set(0.25, "accuracy");
      std::this_thread::sleep_for(time);
    });
  };
  EXPECT_EQ(work_for(100ms, colourful), "");
  EXPECT_EQ(work_for(2300ms, plain), "");  // not a terminal
  const std::string bar_text = work_for(2300ms, colourful);
  EXPECT_NE(bar_text.find("06_gaussian_pdf  ██████░"), std::string::npos) << bar_text;
  EXPECT_NE(bar_text.find("25 %  accuracy"), std::string::npos) << bar_text;
  EXPECT_TRUE(bar_text.ends_with("\r\033[K"));
}

}  // namespace
