// Operations of a warp against what CUDA's manual says of each, computed lane by lane.

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <vector>

#include "runtime/gs.h"

template <class T>
GS_FN void shuffle_all(gs::thread t, unsigned operand, unsigned width, gs::view<const T> x, gs::view<T, 2> out) {
  const unsigned me = t.thread_rank();
  const T mine = x[me];
  out(0, me) = t.shuffle(mine, operand, gs::full_mask, width);
  out(1, me) = t.shuffle_up(mine, operand, gs::full_mask, width);
  out(2, me) = t.shuffle_down(mine, operand, gs::full_mask, width);
  out(3, me) = t.shuffle_xor(mine, operand, gs::full_mask, width);
}

GS_FN void votes(gs::thread t, gs::view<const int> x, gs::view<std::uint32_t, 2> out) {
  const unsigned me = t.thread_rank();
  out(0, me) = t.ballot(x[me] > 0);
  out(1, me) = t.all(x[me] > 0);
  out(2, me) = t.any(x[me] > 0);
  out(3, me) = t.match_any(x[me]);
  out(4, me) = t.match_all(x[me]);
  out(5, me) = t.match_all(7);
  out(6, me) = t.lanes_below();
  out(7, me) = t.lanes_above();
  out(8, me) = t.this_lane();
}

// Each half of the warp by itself, in different branches.
GS_FN void halves(gs::thread t, gs::view<int> out) {
  const unsigned lane = t.lane();
  const int mine = static_cast<int>(lane);
  if (lane < 16) {
    out[lane] = t.shuffle(mine, 3, 0x0000ffff) + 100 * gs::popcount(t.ballot(lane % 2 == 0, 0x0000ffff));
  } else {
    out[lane] = t.shuffle(mine, 20, 0xffff0000) + 100 * gs::popcount(t.ballot(lane % 4 == 0, 0xffff0000));
  }
  t.warp_sync();
  out[32 + lane] = t.shuffle_xor(mine, 16);
}

GS_FN void warp_sums(gs::thread t, gs::view<const double> x, gs::view<double> out) {
  double sum = t.grid() < x.size() ? x[t.grid()] : 0.0;
  for (unsigned delta = 16; delta > 0; delta /= 2) sum += t.shuffle_down(sum, delta);
  if (t.lane() == 0) gs::atomic_ref(out[0]).fetch_add(sum);
}

GS_FN void who_is_here(gs::thread t, gs::view<std::uint32_t> out) {
  if (t.lane() < 12)
    out[t.lane()] = t.active_mask();
  else
    out[t.lane()] = t.active_mask() | t.ballot(true, t.active_mask());
}

GS_FN void exchange_through_memory(gs::thread t, gs::dynamic_shared<int> s, gs::view<int> out) {
  const unsigned me = t.thread_rank();
  s[me] = static_cast<int>(me);
  t.warp_sync();
  out[me] = s[me ^ 1u];
}

namespace {

// CUDA C++ Programming Guide, "Warp Shuffle Functions".
unsigned source(int kind, unsigned lane, unsigned operand, unsigned width) {
  const unsigned begin = lane / width * width, end = begin + width;
  switch (kind) {
    case 0:
      return begin + operand % width;
    case 1:
      return lane >= begin + operand ? lane - operand : lane;
    case 2:
      return lane + operand < end ? lane + operand : lane;
    default:
      return (lane ^ operand) < end ? (lane ^ operand) : lane;
  }
}

template <class T>
void check_shuffles() {
  std::vector<T> x(96);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<T>(3 * i + 1);
  const auto x_device = gs::to_device(x);
  for (unsigned width : {2u, 8u, 32u})
    for (unsigned operand : {0u, 1u, 5u, 16u, 31u}) {
      gs::device_array<T> out({4, 96});
      gs::launch<shuffle_all<T>>({.grid = 1, .block = 96}, operand, width, x_device, out);
      const auto result = out.copy_to_host();
      for (std::size_t kind = 0; kind < 4; ++kind)
        for (std::size_t i = 0; i < 96; ++i) {
          const std::size_t from = i / 32 * 32 + source(static_cast<int>(kind), i % 32, operand, width);
          ASSERT_EQ(result[kind * 96 + i], x[from])
              << "kind " << kind << ", thread " << i << ", " << operand << " in " << width;
        }
    }
}

TEST(warp, shuffles_of_every_type) {
  check_shuffles<int>();
  check_shuffles<unsigned>();
  check_shuffles<float>();
  check_shuffles<double>();
  check_shuffles<std::int64_t>();
}

TEST(warp, votes) {
  for (int pattern = 0; pattern < 6; ++pattern) {
    std::vector<int> x(64);
    for (int i = 0; i < 64; ++i)
      x[static_cast<std::size_t>(i)] = pattern == 0   ? 1
                                       : pattern == 1 ? 0
                                       : pattern == 2 ? i % 2
                                                      : (i * pattern) % 5 - 1;
    gs::device_array<std::uint32_t> out({9, 64});
    gs::launch<votes>({.grid = 1, .block = 64}, gs::to_device(x), out);
    const auto result = out.copy_to_host();
    for (std::size_t i = 0; i < 64; ++i) {
      const std::size_t first = i / 32 * 32, lane = i % 32;
      std::uint32_t positive = 0, alike = 0;
      for (std::size_t k = 0; k < 32; ++k) {
        positive |= static_cast<std::uint32_t>(x[first + k] > 0) << k;
        alike |= static_cast<std::uint32_t>(x[first + k] == x[i]) << k;
      }
      EXPECT_EQ(result[i], positive);
      EXPECT_EQ(result[64 + i], positive == 0xffffffff);
      EXPECT_EQ(result[128 + i], positive != 0);
      EXPECT_EQ(result[192 + i], alike);
      EXPECT_EQ(result[256 + i], alike == 0xffffffff ? alike : 0);
      EXPECT_EQ(result[320 + i], 0xffffffff);
      EXPECT_EQ(result[384 + i], (1ull << lane) - 1);
      EXPECT_EQ(result[448 + i], static_cast<std::uint32_t>(0xfffffffeull << lane));
      EXPECT_EQ(result[512 + i], 1u << lane);
    }
  }
}

TEST(warp, halves_in_different_branches) {
  gs::device_array<int> out(64);
  gs::launch<halves>({.grid = 1, .block = 32}, out);
  const auto result = out.copy_to_host();
  for (std::size_t i = 0; i < 32; ++i) {
    EXPECT_EQ(result[i], i < 16 ? 3 + 800 : 20 + 400);
    EXPECT_EQ(result[32 + i], static_cast<int>(i ^ 16));
  }
}

TEST(warp, sums_by_shuffles) {
  for (std::size_t n : {1, 31, 32, 33, 1009, 100'000}) {
    std::vector<double> x(n);
    std::iota(x.begin(), x.end(), 1.0);
    const auto out = gs::to_device(std::vector<double>{0});
    gs::launch<warp_sums>({.grid = (n + 255) / 256, .block = 256}, gs::to_device(x), out);
    EXPECT_EQ(out.copy_to_host()[0], 0.5 * static_cast<double>(n) * static_cast<double>(n + 1));
  }
}

TEST(warp, those_who_run_together_include_the_caller) {
  gs::device_array<std::uint32_t> out(32);
  gs::launch<who_is_here>({.grid = 1, .block = 32}, out);
  const auto result = out.copy_to_host();
  for (std::size_t i = 0; i < 32; ++i) {
    EXPECT_TRUE(result[i] & (1u << i));
    EXPECT_EQ(result[i] & (i < 12 ? 0xfffff000 : 0x00000fff), 0u) << "lanes of the other branch";
  }
}

TEST(warp, a_warp_may_be_shorter_than_its_mask) {  // the lanes that don't exist have returned, so to speak
  gs::device_array<int> out(50);
  gs::launch<exchange_through_memory>({.grid = 1, .block = 50, .shared_bytes = 50 * sizeof(int)}, out);
  const auto result = out.copy_to_host();
  for (std::size_t i = 0; i < 50; ++i) EXPECT_EQ(result[i], static_cast<int>(i ^ 1));
}

}  // namespace
