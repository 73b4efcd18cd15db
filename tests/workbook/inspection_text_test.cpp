// An inspection in the terminal: findings with their lines of source, tables of counters, the verdict.

#include "workbook/terminal/inspection_text.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/temporary_folder.h"
#include "tests/workbook/sample_inspection.h"
#include "workbook/terminal/text_layout.h"

namespace {

namespace fs = std::filesystem;
using workbook::to_text;

// A folder with the kernel's source, which the paths are shown from.
class inspection_text : public testing::Test {
 protected:
  void SetUp() override {
    std::ofstream(folder / "kernel.cpp") << "first[i] = 0;\n"
                                            "  const float here = u(y, x), left = u(y, x - 1);\n"
                                            "    u(y, x) = s->t(y, x) + rate;\n"
                                            "\tgs::atomic_ref(count[bin]) += 1;\n"
                                            "  auto u = gs::to_device(field);\n";
    fs::current_path(folder);
  }
  void TearDown() override { fs::current_path(before); }
  gs::inspection sample() const { return sample_inspection(folder / "kernel.cpp"); }

  const gridstride_test::temporary_folder temporary;
  const fs::path folder = fs::canonical(temporary.path()), before = fs::current_path();
};

void expect_in(const std::string& part, const std::string& text) {
  EXPECT_NE(text.find(part), std::string::npos) << part << "\n--- in:\n" << text;
}

TEST_F(inspection_text, shows_a_finding_as_a_compiler_does) {
  const std::string race = "race between blocks";
  const std::string text = to_text(sample(), {.width = 100});
  expect_in("kernel.cpp:3:6: " + race +
                " [racecheck]\n"
                "    3 |     u(y, x) = s->t(y, x) + rate;\n"
                "      |      ^\n"
                "kernel.cpp:2:22: the other\n"
                "    2 |   const float here = u(y, x), left = u(y, x - 1);\n"
                "      |                      ^\n"
                "kernel.cpp:5:9: made here\n"
                "    5 |   auto u = gs::to_device(field);\n"
                "      |         ^\n"
                "  in diffuse · u, shape (512, 512) · 1,024 times\n"
                "  Nothing decides which of the two comes first.\n"
                "  Hint: Write to another array than the one you read.\n"
                "\n",
            text);
  expect_in("kernel.cpp:5:9: " + std::string("leak") +
                " [leakcheck]\n"
                "    5 |   auto u = gs::to_device(field);\n"
                "      |         ^\n"
                "  u, shape (512, 512)\n\n",
            text);
}

TEST_F(inspection_text, keeps_long_lines_whole_in_files_and_the_column_in_sight_on_a_terminal) {
  std::ofstream(folder / "long.cpp")
      << "  out[t.grid()] = a_function_of_a_long_name(first) + another_function(second) + "
         "x[t.grid()] + one_more_of_them(third);\n";
  gs::inspection result;
  auto& f = result.findings.emplace_back();
  f.access.where = {.file = folder / "long.cpp", .line = 1, .column = 81};
  expect_in(
      "    1 |   out[t.grid()] = a_function_of_a_long_name(first) + another_function(second) + x[t.grid()] + "
      "one_more_of_them(third);\n      | " +
          std::string(80, ' ') + "^\n",
      to_text(result, {.width = 60}));
  const std::string text = to_text(result, {.width = 60, .interactive = true});
  expect_in("    1 | …", text);
  std::istringstream lines(text);
  std::string source, caret;
  while (source.find("1 |") == source.npos) ASSERT_TRUE(std::getline(lines, source));
  ASSERT_TRUE(std::getline(lines, caret));
  EXPECT_LE(workbook::display_width(source), 60u);
  const std::size_t at = caret.find('^');
  ASSERT_NE(at, caret.npos);
  EXPECT_EQ(source.substr(at + 2, 11), "x[t.grid()]");  // the "…" is three bytes and one column
}

TEST_F(inspection_text, shows_the_counters_of_lines_that_could_do_better) {
  const std::string text = to_text(sample(), {.width = 100});
  expect_in(
      "diffuse\n"
      "  grid 8 x 64, block 64 x 8 · 3 launches · 786,432 threads · 1.2 million accesses · 1,536 barriers ·\n"
      "  2.66 kB shared by a block · occupancy up to 75 % on 8.6\n"
      "  Bound on GeForce RTX 3080: a launch takes at least 2.76 µs, by memory; 45.9 ns, by shared memory,\n"
      "  if L2 holds its arrays.\n",
      text);
  expect_in("line  source   access  requests  lanes  sectors  ideal  bytes used\n", text);
  expect_in("2:22  u(y, x)  read       1,000   32.0     32.0    4.0        12 %\n", text);
  expect_in("access  requests  lanes  wavefronts  ideal  conflicts\n", text);
  expect_in("3:15  s->t(y, x)  read       2,000   32.0         8.0    1.0     14,000\n", text);
  expect_in("memory  requests  lanes  on one  addresses  busiest\n", text);
  expect_in("4:22  count[bin]  global       500   30.0    16.0         10    9,000\n", text);
  EXPECT_EQ(text.find("3:6 "), std::string::npos) << text;
  expect_in("Nothing to gain in fill. 2 more lines are within a tenth of the ideal; --lines shows all.\n", text);
}

TEST_F(inspection_text, shows_all_lines_when_asked) {
  const std::string text = to_text(sample(), {.width = 100}, true);
  expect_in(
      "fill\n  grid 1, block 32 · 1 launch · 32 threads · 32 accesses\n"
      "  Bound on GeForce RTX 3080: a launch takes at least 0.585 ns, by L1 cache.\n",
      text);
  expect_in("1:6  first[i]", text);
  expect_in(" 3:6  u(y, x) ", text);
  EXPECT_EQ(text.find("--lines"), std::string::npos);
  gs::inspection unknown = sample();
  unknown.lines[0].expression.clear();
  expect_in("2:22  const float here = u(y, x), left = u(y, x - 1);  read ", to_text(unknown, {.width = 140}));
  expect_in("Copies between host and device\n", text);
  expect_in("kernel.cpp:4  gs::atomic_ref(count[bin]) += 1;", text);
  expect_in("kernel.cpp:5  auto u = gs::to_device(field);            2  1.05 MB\n", text);
  EXPECT_EQ(to_text(sample(), {.width = 100}).find("Copies"), std::string::npos);
}

TEST_F(inspection_text, closes_with_the_verdict) {
  gs::inspection result = sample();
  expect_in(
      "\n2 findings: 2 kernels, 4 lines, 1.2 million accesses in 0.4 s\n"
      "Switched off: initcheck, synccheck, leakcheck, limits\n",
      to_text(result, {}));
  result.findings.pop_back();
  expect_in("\n1 finding: ", to_text(result, {}));
  result.findings.clear();
  result.kernels[0].accesses = 999;
  result.lines.clear();
  result.instruments.clear();
  for (std::size_t k = 0; k < gs::detail::instrument_count; ++k)
    result.instruments.push_back(static_cast<gs::instrument>(k));
  EXPECT_EQ(to_text(result, {}), "No findings: 2 kernels, 1,031 accesses in 0.4 s\n");
  result.kernels.clear();
  EXPECT_EQ(to_text(result, {}),
            "No findings: 0 kernels in 0.4 s\n"
            "Nothing ran on the device that could have been looked at: no kernel, and no\nufunc.\n");
  result.ufunc_calls = 1;
  const std::string of_ufuncs = to_text(result, {});
  expect_in("No findings: 1 call of ufuncs and libraries in 0.4 s\nNo kernel was launched. What ufuncs do", of_ufuncs);
  result.kernels.resize(1);
  result.ufunc_calls = 1234;
  EXPECT_EQ(to_text(result, {}), "No findings: 1 kernel, 1,234 calls of ufuncs and libraries in 0.4 s\n");
}

TEST_F(inspection_text, says_what_is_known) {
  const auto text_of = [](const gs::finding& f) {
    gs::inspection result;
    result.findings = {f};
    return to_text(result, {});
  };
  gs::finding f;
  expect_in("an unknown place: outside shape [memcheck]\n\n", text_of(f));
  f.access = sample_access(gs::access_kind::read, {"gone.cpp", 7, 3}, {3, 0, 0}, {9, 0, 0});
  f.extents = {256};
  expect_in("gone.cpp:7:3: outside shape [memcheck]\n  in diffuse · shape (256,)\n\n", text_of(f));
  f.array = "x";
  f.space = gs::memory_space::shared;
  expect_in("  in diffuse · x, shape (256,) · shared memory\n", text_of(f));
  f.other = f.access;
  f.other->kernel = "copy_to_device";
  f.same_value = true;
  expect_in("gone.cpp:7:3: outside shape, of the same value [memcheck]\n", text_of(f));
  expect_in("gone.cpp:7:3: the other\n  in diffuse · in copy_to_device · x", text_of(f));
}

TEST_F(inspection_text, sums_up_launches_of_many_shapes) {
  gs::inspection result = sample();
  result.kernels.push_back(result.kernels[0]);
  result.kernels.back().grid = {1, 1, 1};
  expect_in("diffuse\n  2 shapes · 6 launches · 1.6 million threads · 2.5 million accesses · 3,072 barriers",
            to_text(result, {.width = 100}));
}

TEST_F(inspection_text, says_what_occupancy_depends_on) {
  gs::inspection result = sample();
  result.registers_per_thread = 40;
  result.kernels.push_back(result.kernels[0]);
  result.kernels.back().occupancy = 0.5;
  expect_in("occupancy 50 to 75 % on 8.6 with 40 registers", to_text(result, {.width = 200}));
}

TEST_F(inspection_text, fits_the_window) {
  for (const std::size_t width : {80, 90, 100, 120})
    for (const bool unicode : {true, false})
      for (const bool all_lines : {true, false}) {
        std::istringstream lines(to_text(sample(), {.width = width, .unicode = unicode}, all_lines));
        for (std::string line; std::getline(lines, line);) {
          EXPECT_LE(workbook::display_width(line), width) << line;
          if (unicode) continue;
          for (const unsigned char c : line) ASSERT_LT(c, 0x80) << line;
        }
      }
}

TEST_F(inspection_text, has_colours_on_a_terminal_only) {
  EXPECT_EQ(to_text(sample(), {}).find('\033'), std::string::npos);
  const std::string text = to_text(sample(), {.colours = workbook::colour_depth::true_colour, .interactive = true});
  expect_in("\033[1mkernel.cpp:3:6:\033[0m", text);
}

TEST(could_do_better, looks_at_lanes_sectors_wavefronts_and_addresses) {
  using workbook::could_do_better;
  auto good = sample_line("k", {}, "", gs::memory_space::global, gs::access_kind::read, 100, 2880);
  good.sectors = 110;
  good.ideal_sectors = 100;
  EXPECT_FALSE(could_do_better(good));
  auto lanes = good, sectors = good, banks = good, atomic = good;
  --lanes.accesses;
  ++sectors.sectors;
  banks.wavefronts = 12, banks.ideal_wavefronts = 10;
  EXPECT_TRUE(could_do_better(lanes));
  EXPECT_TRUE(could_do_better(sectors));
  EXPECT_TRUE(could_do_better(banks));
  atomic.kind = gs::access_kind::atomic;
  atomic.serialized = 100;
  EXPECT_FALSE(could_do_better(atomic));
  ++atomic.serialized;
  EXPECT_TRUE(could_do_better(atomic));
}

}  // namespace
