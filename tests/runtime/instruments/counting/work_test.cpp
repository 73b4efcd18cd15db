// The work of launches that bounds are made of, against figures worked out by hand. Device arrays begin at pages.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/gs.h"
#include "runtime/instruments/counting/sector_footprint.h"
#include "runtime/instruments/device_model/time_bound.h"

namespace work_test {

struct figures {
  std::uint64_t requests, sectors, wavefronts, sectors_read, sectors_written;
  bool operator==(const figures&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const figures& f) {
    return out << f.requests << " requests, " << f.sectors << " sectors, " << f.wavefronts << " wavefronts, "
               << f.sectors_read << " sectors read, " << f.sectors_written << " written";
  }
};

// Of the only kernel, over all launches.
template <class Body>
gs::kernel_counters counted(const Body& body) {
  gs::select_device(gs::device_kind::engine);
  const gs::inspection result = gs::inspect(body);
  for (const gs::finding& f : result.findings) ADD_FAILURE() << to_string(f.access.where) << ": " << f.meaning;
  EXPECT_FALSE(result.failure);
  EXPECT_EQ(result.kernels.size(), 1u);
  return result.kernels.empty() ? gs::kernel_counters{} : result.kernels[0];
}
template <class Body>
figures work(const Body& body) {
  const gs::kernel_counters k = counted(body);
  return {k.requests, k.sectors, k.wavefronts, k.sectors_read, k.sectors_written};
}

template <class T>
gs::device_array<T> filled(std::size_t n, T value = {}) {
  return gs::to_device(std::vector<T>(n, value));
}

void copy(gs::thread t, gs::view<const float> x, gs::view<float> y) {
  if (t.grid() < x.size()) y[t.grid()] = x[t.grid()];
}
void copy_every_eighth(gs::thread t, gs::view<const float> x, gs::view<float> y) { y[t.grid()] = x[8 * t.grid()]; }

TEST(counted_work, of_a_copy_is_each_array_once) {
  for (const std::size_t n : {0, 1, 33, 100'000}) {
    const auto x = filled<float>(n, 1);
    auto y = filled<float>(n);
    const std::uint64_t warps = (n + 31) / 32, sectors = (n + 7) / 8;
    const gs::kernel_counters k = counted([&] { gs::launch<copy>({.grid = (n + 255) / 256 + 1, .block = 256}, x, y); });
    EXPECT_EQ((figures{k.requests, k.sectors, k.wavefronts, k.sectors_read, k.sectors_written}),
              (figures{2 * warps, 2 * sectors, 0, sectors, sectors}))
        << n;
    if (n % 8 == 0) {
      EXPECT_EQ(gs::work_of(k).memory_bytes, 2 * 4 * static_cast<double>(n)) << n;
      EXPECT_DOUBLE_EQ(gs::time_bound_of(gs::model_of("9.0"), gs::work_of(k)).seconds_of(gs::time_limit::memory),
                       2 * 4 * static_cast<double>(n) / 3.35e12)
          << n;
    }
  }
}

TEST(counted_work, of_a_strided_copy_is_a_sector_for_each_number) {
  const auto x = filled<float>(8 * 4096, 1);
  auto y = filled<float>(4096);
  EXPECT_EQ(work([&] { gs::launch<copy_every_eighth>({.grid = 16, .block = 256}, x, y); }),
            (figures{2 * 128, 4096 + 512, 0, 4096, 512}));
}

void add_neighbours(gs::thread t, gs::view<const float> x, gs::view<float> y) {
  y[t.grid()] = x[t.grid()] + x[t.grid() + 1] + x[t.grid() + 2];
}

TEST(counted_work, of_numbers_that_are_read_three_times_is_memory_once) {
  const auto x = filled<float>(130, 1);
  auto y = filled<float>(128);
  // A warp's neighbours lie in 4, 5 and 5 sectors; in all there are 17.
  EXPECT_EQ(work([&] { gs::launch<add_neighbours>({.block = 128}, x, y); }),
            (figures{4 * 4, 4 * (4 + 5 + 5 + 4), 0, 17, 16}));
}

void change_twice(gs::thread t, gs::view<float> x) {
  x[t.grid()] += 1;
  x[t.grid()] += 1;
}
void write_then_read(gs::thread t, gs::view<float> x, gs::view<float> y) {
  x[t.grid()] = 2;
  y[t.grid()] = x[t.grid()];
}

TEST(counted_work, of_what_a_launch_has_written_is_no_read_of_memory) {
  auto x = filled<float>(64), y = filled<float>(64);
  const figures changed = work([&] { gs::launch<change_twice>({.block = 64}, x); });
  EXPECT_EQ(changed.sectors_read, 8u);
  EXPECT_EQ(changed.sectors_written, 8u);
  const figures own = work([&] { gs::launch<write_then_read>({.block = 64}, x, y); });
  EXPECT_EQ(own.sectors_read, 0u);
  EXPECT_EQ(own.sectors_written, 16u);
}

TEST(counted_work, of_launches_is_that_of_each) {
  const auto x = filled<float>(1024, 1);
  auto y = filled<float>(1024);
  const gs::kernel_counters k = counted([&] {
    for (int i = 0; i < 3; ++i) gs::launch<copy>({.grid = 4, .block = 256}, x, y);
  });
  EXPECT_EQ(k.launches, 3u);
  EXPECT_EQ(k.sectors_read, 3 * 128u);
  EXPECT_EQ(k.sectors_written, 3 * 128u);
  EXPECT_EQ(gs::work_of(k).memory_bytes, 2 * 4096);
  EXPECT_EQ(gs::work_of(k).requests, 64);
  EXPECT_EQ(gs::work_of(k).blocks, 4u);
}

template <unsigned width>
struct square_tile {
  gs::tile<float, 32, width> of;
};
template <unsigned width>
void transpose(gs::thread t, gs::shared<square_tile<width>> s, gs::view<const float, 2> in, gs::view<float, 2> out) {
  const unsigned x = t.thread_idx().x, y = t.thread_idx().y;
  s->of(y, x) = in(y, x);
  t.sync();
  out(y, x) = s->of(x, y);
}

TEST(counted_work, of_a_column_of_a_tile_is_32_wavefronts) {
  const auto in = filled<float>(1024, 1).reshape({32, 32});
  const auto out = filled<float>(1024).reshape({32, 32});
  EXPECT_EQ(work([&] { gs::launch<transpose<32>>({.block = {32, 32}}, in, out); }),
            (figures{64, 256, 32 * (1 + 32), 128, 128}));
  EXPECT_EQ(work([&] { gs::launch<transpose<33>>({.block = {32, 32}}, in, out); }),
            (figures{64, 256, 32 * (1 + 1), 128, 128}));
}

void count_to_four(gs::thread t, gs::view<const int> x, gs::view<int> n) {
  gs::atomic_ref(n[x[t.grid()]]).fetch_add(1);
}

TEST(counted_work, of_atomic_operations_is_a_read_and_a_write_of_their_sectors) {
  const auto x = filled<int>(256, 3);
  auto n = filled<int>(4);
  // 8 warps read 4 sectors each, and go to one.
  EXPECT_EQ(work([&] { gs::launch<count_to_four>({.grid = 2, .block = 128}, x, n); }),
            (figures{8 + 8, 32 + 8, 0, 32 + 1, 1}));
}

// --- the footprint by itself -----------------------------------------------------------------------------------------

struct alignas(32) wide {
  float of[24];
};

TEST(sector_footprint, counts_each_sector_once_a_launch) {
  gs::instruments::sector_footprint footprint;
  gs::kernel_counters k;
  footprint.begin_launch();
  footprint.touch(0, 4, true, false, k);
  footprint.touch(28, 4, true, false, k);
  footprint.touch(32, 4, true, false, k);
  EXPECT_EQ(k.sectors_read, 2u);
  footprint.touch(30, 4, true, false, k);  // both again
  footprint.touch(60, 8, true, false, k);  // and a third
  footprint.touch(96, sizeof(wide), true, true, k);
  EXPECT_EQ(k.sectors_read, 6u);
  EXPECT_EQ(k.sectors_written, 3u);
  // Far apart, and back.
  footprint.touch(std::uint64_t{1} << 40, 4, false, true, k);
  footprint.touch(0, 4, true, false, k);
  footprint.touch((std::uint64_t{1} << 40) + 4, 4, true, false, k);
  EXPECT_EQ(k.sectors_read, 6u);
  EXPECT_EQ(k.sectors_written, 4u);
  footprint.begin_launch();
  footprint.touch(0, 4, true, false, k);
  EXPECT_EQ(k.sectors_read, 7u) << "another launch";
}

}  // namespace work_test
