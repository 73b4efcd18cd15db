#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/columns/columns.h"
#include "runtime/gs.h"

namespace {

gs::table pulses() {
  gs::table t;
  t.add("channel", gs::to_device(std::vector<std::uint16_t>{3, 1, 3}));
  t.add("charge", gs::to_device(std::vector<float>{0.5f, 1.5f, 2.5f}));
  return t;
}

template <class F>
std::string error_of_table(const F& f) {
  try {
    f();
  } catch (const gs::error& e) {
    return e.what();
  }
  return "nothing was thrown";
}

TEST(table, has_its_columns_by_name_and_type) {
  const gs::table t = pulses();
  EXPECT_EQ(t.rows(), 3u);
  EXPECT_EQ(t.names(), (std::vector<std::string>{"channel", "charge"}));
  EXPECT_EQ(t.dtype("channel"), "uint16");
  EXPECT_EQ(t.dtype("charge"), "float32");
  EXPECT_TRUE(t.has("charge"));
  EXPECT_FALSE(t.has("Charge"));
  EXPECT_EQ(t.column<float>("charge").copy_to_host(), (std::vector<float>{0.5f, 1.5f, 2.5f}));
  EXPECT_EQ(gs::table().rows(), 0u);
}

TEST(table, selects_columns_without_a_copy) {
  const gs::table t = pulses();
  const gs::ledger_scope scope;
  const gs::table selected = t.select({"charge"});
  EXPECT_EQ(scope.account(), gs::ledger{});
  EXPECT_EQ(selected.names(), std::vector<std::string>{"charge"});
  EXPECT_EQ(selected.column<float>("charge").data(), t.column<float>("charge").data());
}

TEST(table, renames_columns) {
  gs::table t = pulses();
  t.rename("charge", "energy");
  t.rename("energy", "energy");
  EXPECT_EQ(t.names(), (std::vector<std::string>{"channel", "energy"}));
  EXPECT_EQ(t.column<float>("energy").size(), 3u);
}

TEST(table, refuses_what_is_no_column) {
  gs::table t = pulses();
  EXPECT_EQ(error_of_table([&] { t.column<double>("charge"); }),
            "the column \"charge\" as float64: its elements are of type float32; ask for it by its own type");
  EXPECT_EQ(error_of_table([&] { t.column<float>("mass"); }),
            "the column \"mass\": the table's columns are channel, charge; ask for a column that is there");
  EXPECT_EQ(error_of_table([&] { gs::table().column<float>("mass"); }),
            "the column \"mass\": the table has no columns; ask for a column that is there");
  EXPECT_EQ(error_of_table([&] { t.add("charge", gs::device_array<float>(3)); }),
            "a column \"charge\": the table has a column of that name; give it another name");
  EXPECT_EQ(error_of_table([&] { t.add("time", gs::device_array<float>(4)); }),
            "a column \"time\": it has 4 elements, and the table has 3 rows; give one element for each row");
  EXPECT_EQ(error_of_table([&] { t.add("time", gs::device_array<float>({3, 1})); }),
            "a column \"time\": the array's shape is (3, 1); give an array of rank 1: x.reshape({-1})");
  EXPECT_EQ(error_of_table([&] { t.rename("charge", "channel"); }),
            "the name \"channel\" for the column \"charge\": another column has it; choose another name");
  EXPECT_EQ(error_of_table([&] { t.select({"charge", "charge"}); }),
            "a column \"charge\": the table has a column of that name; give it another name");
  EXPECT_EQ(t.rows(), 3u);
}

}  // namespace
