// Loops that the threads of a tile may go through together: whatever the shape of a block, and however many of its
// threads come to the loop, each has the result that it would have by itself.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "runtime/gs.h"

namespace {

using input = gs::view<const int, 2>;
using output = gs::view<int, 2>;

const gs::index3 shapes[] = {{1, 1, 1},   {32, 1, 1}, {33, 1, 1},  {256, 1, 1}, {1009, 1, 1}, {1, 32, 1},
                             {16, 16, 1}, {32, 8, 1}, {64, 4, 1},  {32, 32, 1}, {40, 9, 1},   {31, 33, 1},
                             {8, 8, 4},   {16, 8, 2}, {256, 4, 1}, {7, 3, 1}};
const unsigned walked_sizes[] = {1, 31, 32, 33, 67, 256}, lengths[] = {0, 1, 31, 32, 33};

std::vector<int> numbers(std::size_t n, unsigned seed) {
  std::vector<int> all(n);
  for (int& x : all) x = static_cast<int>((seed = seed * 1664525 + 1013904223) >> 24) % 10;
  return all;
}

// The result for a row and a column of `columns`, from a matrix with `length` rows of as many columns and its element
// before.
using reference = std::function<int(const std::vector<int>& x, unsigned length, unsigned columns, unsigned row,
                                    unsigned column, int before)>;

template <auto Kernel>
void expect_in_all_shapes(const reference& expected) {
  for (const gs::index3& shape : shapes)
    for (const unsigned columns : walked_sizes)
      for (const unsigned length : lengths) {
        const unsigned rows = shape.y == 1 ? 2 : shape.y + 3;
        const std::vector<int> x = numbers(std::size_t{length + 1} * columns, columns + length),
                               before = numbers(std::size_t{rows} * columns, 3);
        const auto on_device = gs::to_device(x);
        const auto out = gs::to_device(before);
        gs::launch<Kernel>({.grid = {(columns + shape.x - 1) / shape.x, (rows + shape.y - 1) / shape.y},
                            .block = {shape.x, shape.y, shape.z}},
                           input(on_device.data(), {length, columns}), output(out.data(), {rows, columns}));
        const std::vector<int> found = out.copy_to_host();
        for (unsigned row = 0; row < rows; ++row)
          for (unsigned column = 0; column < columns; ++column) {
            const std::size_t i = std::size_t{row} * columns + column;
            ASSERT_EQ(found[i], expected(x, length, columns, row, column, before[i]))
                << "row " << row << ", column " << column << " of " << rows << " x " << columns << ", length " << length
                << ", blocks of " << shape.x << " x " << shape.y << " x " << shape.z;
          }
      }
}

}  // namespace

GS_FN void sum_a_column(gs::thread t, input x, output out) {
  const std::size_t row = t.grid_y(), column = t.grid_x();
  if (row >= out.extent(0) || column >= out.extent(1)) return;
  auto sum = static_cast<unsigned>(row);
  for (std::size_t k = 0; k < x.extent(0); ++k) sum = 3 * sum + static_cast<unsigned>(x(k, column));
  out(row, column) = static_cast<int>(sum);
}
TEST(walking, each_thread_has_its_sum) {
  expect_in_all_shapes<sum_a_column>(
      [](const auto& x, unsigned length, unsigned columns, unsigned row, unsigned column, int) {
        unsigned sum = row;
        for (unsigned k = 0; k < length; ++k) sum = 3 * sum + static_cast<unsigned>(x[k * columns + column]);
        return static_cast<int>(sum);
      });
}

// Some leave before the loop, and others write something else after it.
GS_FN void sum_some_columns(gs::thread t, input x, output out) {
  const std::size_t row = t.grid_y(), column = t.grid_x();
  if (t.thread_idx().z > 0 || row >= out.extent(0) || column >= out.extent(1)) return;
  const int before = out(row, column);
  if (before % 3 == 1) {
    out(row, column) = -7;
    return;
  }
  int sum = 0;
  for (std::size_t k = 0; k < x.extent(0); ++k) sum += x(k, column);
  if (before % 2 == 1)
    out(row, column) = sum;
  else
    out(row, column) += 2 * sum + before;
}
TEST(walking, threads_may_leave_before_the_loop) {
  expect_in_all_shapes<sum_some_columns>(
      [](const auto& x, unsigned length, unsigned columns, unsigned, unsigned column, int before) {
        if (before % 3 == 1) return -7;
        int sum = 0;
        for (unsigned k = 0; k < length; ++k) sum += x[k * columns + column];
        return before % 2 == 1 ? sum : 2 * sum + 2 * before;
      });
}

// A thread keeps numbers of several walked_sizes, which change places, and its rounds differ.
GS_FN void keep_several(gs::thread t, input x, output out) {
  const std::size_t row = t.grid_y(), column = t.grid_x();
  if (t.thread_idx().z == 0 && row < out.extent(0) && column < out.extent(1)) {
    std::int64_t wide = out(row, column);
    std::int8_t a = static_cast<std::int8_t>(column), b = 3;
    double all = 0.5;
    bool met = false;
    for (std::size_t k = 0; k < x.extent(0); ++k) {
      const int value = x(k, column);
      const std::int8_t last = a;
      a = b;
      b = static_cast<std::int8_t>(last + 1);
      if (value % 3 == 0) continue;
      met = met || value == 7;
      if (value > 4)
        wide += 1'000'000'007ll * value * static_cast<std::int64_t>(k);
      else
        all += value;
    }
    out(row, column) = static_cast<int>(wide % 1'000'003) + a + 5 * b + static_cast<int>(2 * all) + (met ? 100 : 0);
  }
}
TEST(walking, each_thread_keeps_its_numbers) {
  expect_in_all_shapes<keep_several>(
      [](const auto& x, unsigned length, unsigned columns, unsigned, unsigned column, int before) {
        std::int64_t wide = before;
        int a = static_cast<std::int8_t>(column), b = 3, all = 1;
        bool met = false;
        for (unsigned k = 0; k < length; ++k) {
          const int value = x[k * columns + column];
          a = static_cast<std::int8_t>(a + 1);
          std::swap(a, b);
          met |= value == 7;
          if (value % 3 != 0 && value > 4) wide += std::int64_t{1'000'000'007} * value * k;
          if (value % 3 != 0 && value <= 4) all += 2 * value;
        }
        return static_cast<int>(wide % 1'000'003) + a + 5 * b + all + (met ? 100 : 0);
      });
}

// Written in the loop itself, and after it as often as the loop has counted.
GS_FN void add_to_the_rows_below(gs::thread t, input x, output out) {
  const std::size_t column = t.grid_x();
  if (t.grid_y() > 0 || t.thread_idx().z > 0 || column >= out.extent(1)) return;
  std::size_t k = 0;
  for (; k < out.extent(0); ++k) out(k, column) = 2 * out(k, column) + static_cast<int>(column);
  out(0, column) += static_cast<int>(k - out.extent(0) + x.extent(0));
}
TEST(walking, the_loop_may_write) {
  expect_in_all_shapes<add_to_the_rows_below>(
      [](const auto&, unsigned length, unsigned, unsigned row, unsigned column, int before) {
        const int doubled = 2 * before + static_cast<int>(column);
        return row > 0 ? doubled : doubled + static_cast<int>(length);
      });
}
