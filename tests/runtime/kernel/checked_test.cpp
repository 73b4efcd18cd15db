// The checked flavour on the engine: an index outside the shape is an error that names the line, and a grid-stride loop
// takes the strides a GPU takes.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "runtime/gs.h"
#include "tests/runtime/refused.h"

namespace {

using runtime_test::refused;

void read_at(gs::thread, gs::view<const float> in, int i, gs::view<float> out) { out[0] = in[i]; }
constexpr int line_of_read_at = __LINE__ - 1;

void read_pair(gs::thread, gs::view<const float, 2> in, int i, int j, gs::view<float> out) { out[0] = in(i, j); }
constexpr int line_of_read_pair = __LINE__ - 1;

void say_stride(gs::thread t, gs::view<int> visitor) {
  for (auto i : t.grid_stride(visitor.size())) visitor[i] = static_cast<int>(t.grid());
}

std::string place(int line) { return "checked_test.cpp:" + std::to_string(line); }

class checked : public testing::Test {
 protected:
  checked() { gs::select_device(gs::device_kind::engine); }
  gs::device_array<float> five = gs::to_device(std::vector<float>{0, 1, 2, 3, 4});
  gs::device_array<float> pairs = gs::to_device(std::vector<float>{0, 1, 2, 3, 4, 5}).reshape({2, 3});
  gs::device_array<float> out = gs::to_device(std::vector<float>(1));

  void at(int i) {
    gs::launch<read_at>({}, five, i, out);
    gs::synchronize();
  }
  void at(int i, int j) {
    gs::launch<read_pair>({}, pairs, i, j, out);
    gs::synchronize();
  }
};

TEST_F(checked, indices_inside_are_fine) {
  at(4);
  EXPECT_EQ(out.copy_to_host()[0], 4);
  at(1, 2);
  EXPECT_EQ(out.copy_to_host()[0], 5);
}

TEST_F(checked, an_index_outside_names_its_line) {
  EXPECT_TRUE(refused([&] { at(5); }, {place(line_of_read_at), "index 5 along dimension 0", "(5,)", "0 to 4"}));
  EXPECT_TRUE(refused([&] { at(-1); }, {place(line_of_read_at), "index -1 along dimension 0"}));
  EXPECT_NO_THROW(at(0)) << "the device is usable afterwards";
}

TEST_F(checked, indices_are_checked_by_shape_not_by_address) {
  EXPECT_TRUE(refused([&] { at(0, 3); }, {place(line_of_read_pair), "index 3 along dimension 1", "(2, 3)", "0 to 2"}));
  EXPECT_TRUE(refused([&] { at(2, 0); }, {place(line_of_read_pair), "index 2 along dimension 0", "(2, 3)"}));
  EXPECT_TRUE(refused([&] { at(1, -1); }, {place(line_of_read_pair), "index -1 along dimension 1"}));
}

TEST_F(checked, grid_stride_takes_true_strides) {
  auto visitor = gs::to_device(std::vector<int>(23));
  gs::launch<say_stride>({.grid = 2, .block = 4}, visitor);
  const auto order = visitor.copy_to_host();
  for (std::size_t i = 0; i < order.size(); ++i) EXPECT_EQ(order[i], static_cast<int>(i % 8));
}

}  // namespace
