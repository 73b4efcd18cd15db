// gridstride-bounds as it is called: its bounds against figures worked out by hand, and what it refuses.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/bench/program_outcome.h"

namespace {

using nlohmann::json;

using bench_test::outcome;

outcome bounds(const std::string& options) {
  return bench_test::outcome_of("GRIDSTRIDE_TARGET=engine '" GRIDSTRIDE_BOUNDS_PROGRAM "' " + options + " 2>&1");
}

json rows_of(const json& report) {
  for (const json& item : report.at("items"))
    if (item.at("kind") == "table") return item.at("rows");
  return json::array();
}
double value(const json& cell) { return cell.at("value"); }

TEST(bounds_program, bounds_kernels_on_the_chosen_gpu) {
  const outcome o = bounds("--json --elements 1024000 --side 1024 --model H200");
  ASSERT_EQ(o.status, 0) << o.output;
  const json rows = rows_of(json::parse(o.output));
  ASSERT_EQ(rows.size(), 10u);
  EXPECT_EQ(rows[0][0], "copy");
  EXPECT_DOUBLE_EQ(value(rows[0][5]), 2 * 4 * 1024e3 / 4.8e12);
  EXPECT_EQ(rows[0][6], "memory");
  // A column of a tile is 32 wavefronts, and a row one.
  EXPECT_EQ(rows[6][0], "transpose, tiles");
  EXPECT_DOUBLE_EQ(value(rows[6][3]), 2048.0 * 2048 / 32 * 33 / (132 * 1.98e9));
  EXPECT_DOUBLE_EQ(value(rows[7][3]), 2048.0 * 2048 / 32 * 2 / (132 * 1.98e9));
  EXPECT_EQ(rows[9][0], "matmul, tiles");
  EXPECT_DOUBLE_EQ(value(rows[9][4]), 2.0 * 1024 * 1024 * 1024 / (2 * 128 * 132 * 1.98e9));
  EXPECT_EQ(rows[9][6], "shared memory");
  EXPECT_NE(o.output.find("Nothing was timed: the current device is no GPU."), std::string::npos);
}

TEST(bounds_program, refuses_sizes_whose_work_it_cannot_tell) {
  const outcome elements = bounds("--elements 1025");
  EXPECT_EQ(elements.status, 2);
  EXPECT_NE(
      elements.output.find("bounds of kernels on arrays: 1025 elements; use a multiple of 1024, at most 2147483648"),
      std::string::npos)
      << elements.output;
  const outcome side = bounds("--elements 1024 --side 33");
  EXPECT_EQ(side.status, 2);
  EXPECT_NE(side.output.find("bounds of kernels on matrices: 33 rows; use a multiple of 32, at most 32768"),
            std::string::npos)
      << side.output;
  EXPECT_EQ(bounds("--elements 0").status, 2);
  EXPECT_EQ(bounds("--side 0").status, 2);
  EXPECT_EQ(bounds("--model H300").status, 2);
}

}  // namespace
