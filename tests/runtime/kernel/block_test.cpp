// Block style: the same results as a plain loop, for shapes that divide and that don't.

#include "runtime/kernel/block.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "runtime/gs.h"
#include "tests/runtime/refused.h"

template <unsigned T>
struct tiles {
  gs::tile<float, T, T> a, b;
};
template <unsigned T>
GS_FN void multiply(gs::block<T, T> block, gs::shared<tiles<T>> s, gs::view<const float, 2> a,
                    gs::view<const float, 2> b, gs::view<float, 2> c) {
  gs::per_thread sum(block, 0.0f);
  const std::size_t inner = a.extent(1);
  for (std::size_t k = 0; k < inner; k += T) {
    block.each([&](auto t) {
      s->a(t.y, t.x) = t.grid_y() < a.extent(0) && k + t.x < inner ? a(t.grid_y(), k + t.x) : 0.0f;
      s->b(t.y, t.x) = k + t.y < inner && t.grid_x() < b.extent(1) ? b(k + t.y, t.grid_x()) : 0.0f;
    });
    block.each([&](auto t) {
      for (unsigned i = 0; i < T; ++i) sum[t] += s->a(t.y, i) * s->b(i, t.x);
    });
  }
  block.each([&](auto t) {
    if (t.grid_y() < c.extent(0) && t.grid_x() < c.extent(1)) c(t.grid_y(), t.grid_x()) = sum[t];
  });
}

GS_FN void positions(gs::block<3, 2, 4> block, gs::view<unsigned, 2> out) {
  block.each([&](auto t) {
    const std::size_t i = block.block_rank() * 24 + t.rank();
    out(i, 0) = t.x;
    out(i, 1) = t.y;
    out(i, 2) = t.z;
    out(i, 3) = static_cast<unsigned>(t.grid_x());
    out(i, 4) = static_cast<unsigned>(t.grid_y());
    out(i, 5) = static_cast<unsigned>(t.grid_z());
  });
}

// Every thread keeps three numbers from one each to the next: its position, shifted by its neighbour's to the right.
struct row_of_ranks {
  gs::tile<unsigned, 2, 3, 5> rank;
};
GS_FN void arrays_of_their_own(gs::block<5, 3, 2> block, gs::shared<row_of_ranks> s, gs::view<unsigned, 2> out) {
  using three = gs::local_array<unsigned, 3>;
  gs::per_thread kept(block, three{{7, 8, 9}});
  block.each([&](auto t) { s->rank(t.z, t.y, t.x) = t.rank(); });
  block.each([&](auto t) {
    three mine = kept[t];
    mine[0] += t.rank();
    mine[2] *= s->rank(t.z, t.y, (t.x + 1) % 5);
    kept[t] = mine;
  });
  block.each([&](auto t) {
    const three mine = kept[t];
    for (unsigned i = 0; i < 3; ++i) out(block.block_rank() * 30 + t.rank(), i) = mine[i];
  });
}

struct halo {
  gs::tile<int, 70> value;
};
GS_FN void sum_neighbours(gs::block<64> block, gs::shared<halo> s, gs::view<const int> x, gs::view<int> out) {
  const std::size_t first = block.block_idx().x * std::size_t{64};
  block.each_of(66,
                [&](std::size_t i) { s->value[i] = first + i >= 1 && first + i <= x.size() ? x[first + i - 1] : 0; });
  block.each([&](auto t) {
    if (t.grid_x() < x.size()) out[t.grid_x()] = s->value[t.x] + s->value[t.x + 1] + s->value[t.x + 2];
  });
}
// How often a cell was visited, and that none is outside; a block of 4 x 3 x 2 threads shares out any rectangle.
GS_FN void visit_cells(gs::block<4, 3, 2> block, std::size_t rows, std::size_t columns, gs::view<int, 2> visits) {
  block.each_of(rows, columns, [&](std::size_t row, std::size_t column) {
    gs::prefetch(visits, row, column);
    visits(row, column) += static_cast<int>(1 + 1000 * row + column);
  });
  // A barrier after each: what another thread wrote can be read.
  block.each_of(rows, columns, [&](std::size_t row, std::size_t column) {
    visits(2 * rows - 1 - row, columns - 1 - column) = visits(row, column);
  });
}
// Every block stores a tile of the numbers that its cells have in the whole of `out`; those at the edges hang over.
constexpr unsigned tile_rows = 9, tile_columns = 48;
template <class T>
GS_FN void store_numbers(gs::block<16, 2> block, gs::view<T, 2> out) {
  const std::size_t top = std::size_t{tile_rows} * block.block_idx().y,
                    left = std::size_t{tile_columns} * block.block_idx().x;
  block.store(out, top, left, tile_rows, tile_columns, [&](std::size_t row, std::size_t column) {
    return static_cast<T>((top + row) * out.extent(1) + left + column + 1);
  });
}
// One rectangle, wherever it lies.
GS_FN void store_rectangle(gs::block<32> block, std::size_t top, std::size_t left, std::size_t rows,
                           std::size_t columns, float value, gs::view<float, 2> out) {
  block.store(out, top, left, rows, columns, [=](std::size_t, std::size_t) { return value; });
}
struct flag {
  unsigned count;
};
GS_FN void count_in_block(gs::block<32, 4> block, gs::shared<flag> s, gs::view<unsigned> out) {
  block.each([&](auto t) {
    if (t.rank() == 0) s->count = 0;
  });
  block.each([&](auto t) {
    if (t.x % 3 == 0) gs::atomic_ref(s->count).fetch_add(1u);
  });
  block.each([&](auto t) {
    if (t.rank() == 0) out[block.block_rank()] = s->count;
  });
}

namespace {

using runtime_test::refused;

TEST(block_style, products_of_any_shape) {
  for (auto [m, k, n] : {std::array<std::size_t, 3>{1, 1, 1},
                         {16, 16, 16},
                         {31, 33, 32},
                         {1, 97, 5},
                         {65, 1, 129},
                         {100, 17, 3},
                         {7, 0, 5}}) {
    std::vector<float> a(m * k), b(k * n);
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i * 37 % 19) / 7 - 1;
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(i * 23 % 29) / 11 - 1;
    const auto extents = [](std::size_t r, std::size_t c) { return gs::shape({r, c}); };
    gs::device_array<float> a_device(extents(m, k)), b_device(extents(k, n)), c(extents(m, n));
    a_device.reshape({-1}).copy_from_host(a);
    if (!b.empty()) b_device.reshape({-1}).copy_from_host(b);
    gs::launch<multiply<16>>({.grid = {(n + 15) / 16, (m + 15) / 16}}, a_device, b_device, c);
    const auto result = c.copy_to_host();
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        double expected = 0;
        for (std::size_t l = 0; l < k; ++l) expected += static_cast<double>(a[i * k + l]) * b[l * n + j];
        ASSERT_NEAR(result[i * n + j], expected, 1e-5 * (1 + static_cast<double>(k))) << m << " x " << k << " x " << n;
      }
  }
}

TEST(block_style, arrays_of_a_threads_own) {
  gs::device_array<unsigned> out({2 * 30, 3});
  gs::launch<arrays_of_their_own>({.grid = 2}, out);
  const auto result = out.copy_to_host();
  for (unsigned i = 0; i < 60; ++i) {
    const unsigned rank = i % 30, x = rank % 5, right = rank - x + (x + 1) % 5;
    ASSERT_EQ(result[3 * i], 7 + rank) << i;
    ASSERT_EQ(result[3 * i + 1], 8u) << i;
    ASSERT_EQ(result[3 * i + 2], 9 * right) << i;
  }
}

// Rows of whole cache lines and others, small ones and such as are written past the caches.
template <class T>
void expect_numbers_stored(std::size_t rows, std::size_t columns) {
  gs::device_array<T> out(gs::shape({rows, columns}));
  gs::launch<store_numbers<T>>(
      {.grid = {(columns + tile_columns - 1) / tile_columns, (rows + tile_rows - 1) / tile_rows}}, out);
  std::vector<T> expected(rows * columns);
  for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = static_cast<T>(i + 1);
  EXPECT_TRUE(out.copy_to_host() == expected) << rows << " x " << columns;
}

TEST(block_style, stores_what_lies_inside) {
  for (auto [rows, columns] : {std::array<std::size_t, 2>{1, 1}, {31, 33}, {33, 32}, {97, 101}}) {
    expect_numbers_stored<float>(rows, columns);
    expect_numbers_stored<double>(rows, columns);
  }
  expect_numbers_stored<float>(2051, 4112);
  expect_numbers_stored<float>(2051, 4099);
  expect_numbers_stored<std::uint16_t>(4099, 4128);
}

TEST(block_style, stores_nothing_else) {
  constexpr std::size_t rows = 2051, columns = 4096;
  const auto out = gs::device_array<float>({rows, columns});
  std::vector<float> expected(rows * columns);
  out.reshape({-1}).copy_from_host(expected);
  float times = 0;
  for (auto [top, left, height, width] : {std::array<std::size_t, 4>{0, 0, 0, 0},
                                          {3, 16, 5, 32},
                                          {30, 16, 5, 1000},
                                          {40, 5, 5, 32},
                                          {2050, 4080, 9, 99},
                                          {2051, 0, 1, 1},
                                          {0, 4096, 1, 1},
                                          {60, 32, 2, 4064}}) {
    gs::launch<store_rectangle>({}, top, left, height, width, ++times, out);
    for (std::size_t row = top; row < std::min(top + height, rows); ++row)
      for (std::size_t column = left; column < std::min(left + width, columns); ++column)
        expected[row * columns + column] = times;
  }
  EXPECT_TRUE(out.copy_to_host() == expected);
}

TEST(block_style, positions_in_three_dimensions) {
  gs::device_array<unsigned> out({2 * 3 * 2 * 24, 6});
  gs::launch<positions>({.grid = {2, 3, 2}}, out);
  const auto result = out.copy_to_host();
  std::size_t i = 0;
  for (unsigned bz = 0; bz < 2; ++bz)
    for (unsigned by = 0; by < 3; ++by)
      for (unsigned bx = 0; bx < 2; ++bx)
        for (unsigned z = 0; z < 4; ++z)
          for (unsigned y = 0; y < 2; ++y)
            for (unsigned x = 0; x < 3; ++x)
              for (unsigned expected : {x, y, z, bx * 3 + x, by * 2 + y, bz * 4 + z}) ASSERT_EQ(result[i++], expected);
}

TEST(block_style, work_shared_by_the_block) {
  for (std::size_t n : {0, 1, 31, 63, 64, 65, 1009}) {
    std::vector<int> x(n);
    for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<int>(i * i % 101);
    gs::device_array<int> out(n);
    gs::launch<sum_neighbours>({.grid = std::max<std::size_t>(1, (n + 63) / 64)}, gs::to_device(x), out);
    const auto result = out.copy_to_host();
    for (std::size_t i = 0; i < n; ++i)
      ASSERT_EQ(result[i], (i > 0 ? x[i - 1] : 0) + x[i] + (i + 1 < n ? x[i + 1] : 0)) << i << " of " << n;
  }
}

TEST(block_style, cells_of_a_rectangle_shared_by_the_block) {
  for (auto [rows, columns] :
       {std::array<std::size_t, 2>{0, 5}, {5, 0}, {1, 1}, {6, 4}, {7, 5}, {1, 97}, {97, 1}, {31, 33}}) {
    auto visits = gs::to_device(std::vector<int>(2 * rows * columns + 1));
    const gs::shape extents{2 * rows, columns};
    if (rows * columns == 0) {
      gs::device_array<int> empty(extents);
      gs::launch<visit_cells>({.grid = 1}, rows, columns, empty);
      gs::synchronize();
      continue;
    }
    auto cells = visits.slice(0, 2 * rows * columns).reshape({static_cast<std::ptrdiff_t>(2 * rows), -1});
    gs::launch<visit_cells>({.grid = 1}, rows, columns, cells);
    const auto result = cells.copy_to_host();
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t c = 0; c < columns; ++c) {
        ASSERT_EQ(result[r * columns + c], static_cast<int>(1 + 1000 * r + c)) << rows << " x " << columns;
        ASSERT_EQ(result[(2 * rows - 1 - r) * columns + columns - 1 - c], static_cast<int>(1 + 1000 * r + c));
      }
  }
}

TEST(block_style, atomics_in_shared_memory) {
  gs::device_array<unsigned> out(50);
  gs::launch<count_in_block>({.grid = 50, .block = {32, 4}}, out);
  EXPECT_EQ(out.copy_to_host(), std::vector<unsigned>(50, 44));
}

TEST(block_style, only_the_kernels_own_shape) {
  gs::device_array<unsigned> out(1);
  EXPECT_TRUE(refused([&] { gs::launch<count_in_block>({.grid = 1, .block = {4, 32}}, out); },
                      {"count_in_block with a block of (4, 32, 1)", "gs::block<32, 4, 1>", "leave .block out"}));
  EXPECT_TRUE(refused([&] { gs::launch<count_in_block>({.grid = 1, .cooperative = true}, out); },
                      {"a cooperative launch of count_in_block", "block style", "thread style"}));
}

}  // namespace
