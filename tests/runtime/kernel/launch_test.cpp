// Launches: every thread of every grid runs once and knows where it is; grid_stride visits every index once.

#include "runtime/launch/launch.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "runtime/device/device.h"

namespace {

// What a thread says of itself, at the place its position in the grid gives it.
struct thread_place {
  gs::index3 thread, block, block_dim, grid_dim;
  std::uint32_t visits;
  std::size_t planes;
};

GS_FN void say_where(gs::thread t, gs::view<thread_place> out) {
  const std::size_t i = (t.grid_z() * t.gridsize_y() + t.grid_y()) * t.gridsize_x() + t.grid_x();
  out[i] = {t.thread_idx(), t.block_idx(), t.block_dim(), t.grid_dim(), out[i].visits + 1, t.gridsize_z()};
}

void expect_every_thread_once(gs::index3 grid, gs::index3 block) {
  const std::size_t nx = std::size_t{grid.x} * block.x, ny = std::size_t{grid.y} * block.y,
                    nz = std::size_t{grid.z} * block.z;
  auto places_on_device = gs::to_device(std::vector<thread_place>(nx * ny * nz));
  gs::launch<say_where>({.grid = {grid.x, grid.y, grid.z}, .block = {block.x, block.y, block.z}}, places_on_device);
  const auto threads = places_on_device.copy_to_host();
  std::size_t i = 0;
  for (unsigned z = 0; z < nz; ++z)
    for (unsigned y = 0; y < ny; ++y)
      for (unsigned x = 0; x < nx; ++x, ++i) {
        const gs::index3 in_block{x % block.x, y % block.y, z % block.z},
            its_block{x / block.x, y / block.y, z / block.z};
        const thread_place& place = threads[i];
        ASSERT_TRUE(place.visits == 1 && place.thread == in_block && place.block == its_block &&
                    place.block_dim == block && place.grid_dim == grid && place.planes == nz)
            << "thread (" << x << ", " << y << ", " << z << "): " << place.visits << " visits";
      }
}

TEST(launch, every_thread_of_a_grid_runs_once) {
  for (gs::index3 grid : {gs::index3{1, 1, 1}, {7, 1, 1}, {1, 5, 1}, {1, 1, 3}, {3, 2, 1}, {2, 3, 4}})
    for (gs::index3 block : {gs::index3{1, 1, 1}, {32, 1, 1}, {33, 1, 1}, {8, 4, 1}, {1, 9, 1}, {3, 2, 5}, {2, 1, 64}})
      expect_every_thread_once(grid, block);
  expect_every_thread_once({3, 1, 1}, {1024, 1, 1});
  expect_every_thread_once({70'000, 1, 1}, {1, 1, 1});
  expect_every_thread_once({1, 65'535, 1}, {1, 1, 1});
  expect_every_thread_once({1, 1, 65'535}, {1, 1, 1});
}

GS_FN void count_x(gs::thread t, gs::view<std::uint32_t> visits) {
  for (auto i : t.grid_stride(visits.size())) ++visits[i];
}
GS_FN void count_y(gs::thread t, gs::view<std::uint32_t> visits) {
  for (auto i : t.grid_stride_y(visits.size())) ++visits[i];
}
GS_FN void count_z(gs::thread t, gs::view<std::uint32_t> visits) {
  for (auto i : t.grid_stride_z(visits.size())) ++visits[i];
}

const std::vector<std::size_t> sizes{0, 1, 2, 31, 32, 33, 127, 128, 129, 1009, 4096, 10'007};

TEST(grid_stride, visits_every_index_once_along_x) {
  for (std::size_t n : sizes)
    for (unsigned grid : {1u, 3u, 30u, 200u})
      for (unsigned block : {1u, 31u, 32u, 128u}) {
        auto visits = gs::to_device(std::vector<std::uint32_t>(n));
        gs::launch<count_x>({.grid = grid, .block = block}, visits);
        ASSERT_EQ(visits.copy_to_host(), std::vector<std::uint32_t>(n, 1)) << n << " on " << grid << " x " << block;
      }
}

TEST(grid_stride, visits_every_index_once_along_y_and_z) {
  for (std::size_t n : sizes)
    for (int extent : {1, 2, 7, 64}) {
      auto y = gs::to_device(std::vector<std::uint32_t>(n)), z = gs::to_device(std::vector<std::uint32_t>(n));
      gs::launch<count_y>({.grid = {1, 3}, .block = {1, extent}}, y);
      gs::launch<count_z>({.grid = {1, 1, 5}, .block = {1, 1, extent}}, z);
      ASSERT_EQ(y.copy_to_host(), std::vector<std::uint32_t>(n, 1)) << n << " along y, blocks of " << extent;
      ASSERT_EQ(z.copy_to_host(), std::vector<std::uint32_t>(n, 1)) << n << " along z, blocks of " << extent;
    }
}

GS_FN void count_cells(gs::thread t, gs::view<std::uint32_t, 3> cells) {
  for (auto i : t.grid_stride_z(cells.extent(0)))
    for (auto j : t.grid_stride_y(cells.extent(1)))
      for (auto k : t.grid_stride(cells.extent(2))) ++cells(i, j, k);
}

TEST(grid_stride, visits_every_cell_of_three_dimensions_once) {
  for (auto [a, b, c] : {std::array<std::size_t, 3>{5, 7, 11}, {1, 33, 2}, {16, 1, 40}}) {
    auto cells =
        gs::to_device(std::vector<std::uint32_t>(a * b * c)).reshape({static_cast<long>(a), -1, static_cast<long>(c)});
    gs::launch<count_cells>({.grid = {2, 3, 2}, .block = {4, 2, 3}}, cells);
    ASSERT_EQ(cells.copy_to_host(), std::vector<std::uint32_t>(a * b * c, 1));
  }
}

GS_FN void add_kernel(gs::thread t, gs::view<const float> x, gs::view<const float> y, float scale,
                      gs::view<float> out) {
  for (auto i : t.grid_stride(out.size())) out[i] = scale * x[i] + y[i];
}
GS_FN void transpose(gs::thread t, gs::view<const int, 2> in, gs::view<int, 2> out) {
  const std::size_t i = t.grid_y(), j = t.grid_x();
  if (i < in.extent(0) && j < in.extent(1)) out(j, i) = in(i, j);
}

TEST(launch, takes_arrays_slices_views_and_scalars) {
  std::vector<float> x(1009), y(1009), expected(1009);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<float>(i), y[i] = 0.25f * static_cast<float>(i % 7);
    expected[i] = 2.0f * x[i] + y[i];
  }
  const auto x_there = gs::to_device(x), y_there = gs::to_device(y);
  gs::device_array<float> out(1009);
  gs::launch<add_kernel>({.grid = 30, .block = 128}, x_there, y_there.view(), 2.0f, out);
  EXPECT_EQ(out.copy_to_host(), expected);

  gs::device_array<float> part(9);
  gs::launch<add_kernel>({.grid = 1, .block = 4}, x_there.slice(1000, 1009), y_there.slice(1000, 1009), 2.0f, part);
  EXPECT_EQ(part.copy_to_host(), std::vector<float>(expected.begin() + 1000, expected.end()));
}

TEST(launch, views_of_two_dimensions_are_row_major) {
  const auto in = gs::to_device(std::vector<int>{0, 1, 2, 3, 4, 5}).reshape({2, 3});
  gs::device_array<int> out({3, 2});
  gs::launch<transpose>({.grid = {1, 1}, .block = {16, 16}}, in, out);
  EXPECT_EQ(out.copy_to_host(), (std::vector<int>{0, 3, 1, 4, 2, 5}));
}

GS_FN void keep_integers(gs::thread, std::int16_t a, std::uint64_t b, gs::view<std::int64_t> out) {
  out[0] = a, out[1] = static_cast<std::int64_t>(b);
}

TEST(launch, integers_that_fit_may_change_their_width) {
  gs::device_array<std::int64_t> out(2);
  gs::launch<keep_integers>({}, -32768, 7, out);
  EXPECT_EQ(out.copy_to_host(), (std::vector<std::int64_t>{-32768, 7}));
  gs::launch<keep_integers>({}, std::uint8_t{200}, std::int64_t{1} << 40, out);
  EXPECT_EQ(out.copy_to_host(), (std::vector<std::int64_t>{200, std::int64_t{1} << 40}));
}

GS_FN void empty_kernel(gs::thread) {}

TEST(launch, is_counted) {
  gs::ledger_scope scope;
  for (int i = 0; i < 5; ++i) gs::launch<empty_kernel>({.grid = 2, .block = 32});
  gs::synchronize();
  EXPECT_EQ(scope.account(), (gs::ledger{.launches = 5, .synchronizations = 1}));
}

TEST(launch, thousands_may_be_queued) {
  auto visits = gs::to_device(std::vector<std::uint32_t>(40));
  for (int i = 0; i < 20'000; ++i) gs::launch<count_x>({.grid = 2, .block = 4}, visits);
  EXPECT_EQ(visits.copy_to_host(), std::vector<std::uint32_t>(40, 20'000));
}

}  // namespace
