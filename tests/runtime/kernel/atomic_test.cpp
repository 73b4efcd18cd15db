// Atomics in global and in shared memory: old values, no lost change, numbers that aren't.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "runtime/gs.h"

// One operation after another on out[0], its old values into out[1 ...]: from one thread.
template <class T>
GS_FN void old_values(gs::thread, gs::view<T> out) {
  const gs::atomic_ref element(out[0]);
  out[1] = element.fetch_add(static_cast<T>(5));
  out[2] = element.fetch_sub(static_cast<T>(2));
  out[3] = element.fetch_min(static_cast<T>(4));
  out[4] = element.fetch_max(static_cast<T>(9));
  out[5] = element.exchange(static_cast<T>(20));
  out[6] = element.compare_exchange(static_cast<T>(19), static_cast<T>(1));
  out[7] = element.compare_exchange(static_cast<T>(20), static_cast<T>(30));
  out[8] = element.load();
  element.store(static_cast<T>(31));
}
template <class T>
GS_FN void old_bits(gs::thread, gs::view<T> out) {
  const gs::atomic_ref element(out[0]);
  out[1] = element.fetch_and(static_cast<T>(0b1110));
  out[2] = element.fetch_or(static_cast<T>(0b0001));
  out[3] = element.fetch_xor(static_cast<T>(0b1010));
}
template <class T>
GS_FN void old_counts(gs::thread, gs::view<T> out) {
  const gs::atomic_ref element(out[0]);
  for (int i = 1; i <= 4; ++i) out[i] = element.fetch_inc(2);
  for (int i = 5; i <= 8; ++i) out[i] = element.fetch_dec(2);
  element.store(9);
  out[9] = element.fetch_dec(2);
  out[10] = element.fetch_inc(1);
}

template <class T>
struct one {
  T value;
};
template <class T>
GS_FN void count_in_global(gs::thread t, std::size_t n, gs::view<T> out) {
  for (auto i : t.grid_stride(n)) {
    (void)i;
    gs::atomic_ref(out[0]).fetch_add(static_cast<T>(1));
  }
}
template <class T>
GS_FN void count_in_shared(gs::thread t, gs::shared<one<T>> s, std::size_t n, gs::view<T> out) {
  if (t.thread_rank() == 0) s->value = 0;
  t.sync();
  for (auto i : t.grid_stride(n)) {
    (void)i;
    gs::atomic_ref(s->value).fetch_add(static_cast<T>(1));
  }
  t.sync();
  if (t.thread_rank() == 0) gs::atomic_ref(out[0]).fetch_add(s->value);
}
// No loop inside: here it is the threads of the block that the compiler sees as a loop, and must not merge.
struct bins {
  gs::tile<unsigned, 4> count;
};
GS_FN void count_bins(gs::thread t, gs::shared<bins> s, gs::view<const unsigned> x, gs::view<unsigned> out) {
  if (t.thread_rank() < 4) s->count[t.thread_rank()] = 0;
  t.sync();
  if (t.grid() < x.size()) gs::atomic_ref(s->count[x[t.grid()]]).fetch_add(1u);
  t.sync();
  if (t.thread_rank() < 4) gs::atomic_ref(out[t.thread_rank()]).fetch_add(s->count[t.thread_rank()]);
}
GS_FN void count_bins_dynamically(gs::thread t, gs::dynamic_shared<unsigned> count, gs::view<const unsigned> x,
                                  gs::view<unsigned> out) {
  if (t.thread_rank() < 4) count[t.thread_rank()] = 0;
  t.sync();
  if (t.grid() < x.size()) gs::atomic_ref(count[x[t.grid()]]).fetch_add(1u);
  t.sync();
  if (t.thread_rank() < 4) gs::atomic_ref(out[t.thread_rank()]).fetch_add(count[t.thread_rank()]);
}
// One block, without any condition inside: nothing but the atomic keeps the compiler from vectorising this loop.
GS_FN void count_bins_in_block(gs::block<256> block, gs::dynamic_shared<unsigned> count, gs::view<const unsigned> x,
                               gs::view<unsigned> out) {
  block.each_of(4, [&](std::size_t b) { count[b] = 0; });
  block.each_of(x.size(), [&](std::size_t i) { gs::atomic_ref(count[x[i]]).fetch_add(1u); });
  block.each_of(4, [&](std::size_t b) { gs::atomic_ref(out[b]).fetch_add(count[b]); });
}
GS_FN void count_bins_directly(gs::thread t, gs::view<const unsigned> x, gs::view<unsigned> out) {
  if (t.grid() < x.size()) gs::atomic_ref(out[x[t.grid()]]).fetch_add(1u);
}

template <class T>
GS_FN void extremes(gs::thread t, gs::view<const T> x, gs::view<T> least, gs::view<T> most) {
  for (auto i : t.grid_stride(x.size())) {
    gs::atomic_ref(least[0]).fetch_min(x[i]);
    gs::atomic_ref(most[0]).fetch_max(x[i]);
  }
}
GS_FN void take_tickets(gs::thread t, gs::view<unsigned> next, gs::view<unsigned> taken) {
  for (auto i : t.grid_stride(taken.size())) taken[i] = gs::atomic_ref(next[0]).fetch_inc(0xffffffffu);
}

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

template <class T>
class atomics_test : public testing::Test {};
using all_types = testing::Types<std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, float, double>;
TYPED_TEST_SUITE(atomics_test, all_types);

TYPED_TEST(atomics_test, return_the_old_value) {
  using T = TypeParam;
  auto out = gs::to_device(std::vector<T>(9, T{10}));
  gs::launch<old_values<T>>({}, out);
  EXPECT_EQ(out.copy_to_host(), (std::vector<T>{31, 10, 15, 13, 4, 9, 20, 20, 30}));
}

TYPED_TEST(atomics_test, lose_no_change) {
  using T = TypeParam;
  for (std::size_t n : {0, 1, 31, 32, 33, 1009, 200'000}) {
    const auto global = gs::to_device(std::vector<T>{0}), shared = gs::to_device(std::vector<T>{0});
    gs::launch<count_in_global<T>>({.grid = 16, .block = 64}, n, global);
    gs::launch<count_in_shared<T>>({.grid = 16, .block = 64}, n, shared);
    EXPECT_EQ(global.copy_to_host()[0], static_cast<T>(n));
    EXPECT_EQ(shared.copy_to_host()[0], static_cast<T>(n));
  }
}

TYPED_TEST(atomics_test, find_the_extremes) {
  using T = TypeParam;
  std::vector<T> x(10'007);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<T>(i * 7919 % 10'007) - static_cast<T>(3);
  const auto least = gs::to_device(std::vector<T>{x[5]}), most = gs::to_device(std::vector<T>{x[5]});
  gs::launch<extremes<T>>({.grid = 16, .block = 64}, gs::to_device(x), least, most);
  EXPECT_EQ(least.copy_to_host()[0], *std::ranges::min_element(x));
  EXPECT_EQ(most.copy_to_host()[0], *std::ranges::max_element(x));
}

TEST(atomic_integers, bits) {
  const auto check = []<class T>(T) {
    auto out = gs::to_device(std::vector<T>(4, T{0b0111}));
    gs::launch<old_bits<T>>({}, out);
    EXPECT_EQ(out.copy_to_host(), (std::vector<T>{0b1101, 0b0111, 0b0110, 0b0111}));
  };
  check(std::int32_t{});
  check(std::uint32_t{});
  check(std::int64_t{});
  check(std::uint64_t{});
}

TEST(atomic_integers, count_in_circles) {
  const auto check = []<class T>(T) {
    auto out = gs::to_device(std::vector<T>(11, T{0}));
    gs::launch<old_counts<T>>({}, out);
    EXPECT_EQ(out.copy_to_host(), (std::vector<T>{0, 0, 1, 2, 0, 1, 0, 2, 1, 9, 2}));
  };
  check(std::uint32_t{});
  check(std::uint64_t{});
}

TEST(atomic_integers, wrap_around) {
  auto out = gs::to_device(std::vector<std::int32_t>(9, std::numeric_limits<std::int32_t>::max()));
  gs::launch<old_values<std::int32_t>>({}, out);
  EXPECT_EQ(out.copy_to_host()[2], std::numeric_limits<std::int32_t>::min() + 4);
}

TEST(atomic_integers, every_old_value_is_seen_once) {
  const auto next = gs::to_device(std::vector<unsigned>{0});
  gs::device_array<unsigned> taken(50'021);
  gs::launch<take_tickets>({.grid = 40, .block = 128}, next, taken);
  auto tickets_drawn = taken.copy_to_host();
  std::ranges::sort(tickets_drawn);
  for (unsigned i = 0; i < tickets_drawn.size(); ++i) ASSERT_EQ(tickets_drawn[i], i);
}

TEST(atomic_numbers, nan_never_replaces_a_number_and_any_number_replaces_it) {
  const double nan = std::nan("");
  const auto extremes_of = [](std::vector<double> x, double start) {
    const auto least = gs::to_device(std::vector<double>{start}), most = gs::to_device(std::vector<double>{start});
    gs::launch<extremes<double>>({.grid = 3, .block = 32}, gs::to_device(x), least, most);
    return std::pair(least.copy_to_host()[0], most.copy_to_host()[0]);
  };
  EXPECT_EQ(extremes_of({nan, 2, nan, -infinity, 3}, 1), std::pair(-infinity, 3.0));
  EXPECT_EQ(extremes_of({nan, 2, infinity, 3}, nan), std::pair(2.0, infinity));
  EXPECT_TRUE(std::isnan(extremes_of({nan, nan}, nan).first));
  EXPECT_EQ(extremes_of({}, 4), std::pair(4.0, 4.0));
}

TEST(atomic_counts, threads_of_a_block_in_the_same_bin) {
  for (std::size_t n : {1, 31, 33, 1009, 99'991}) {
    std::vector<unsigned> x(n), expected(4);
    for (std::size_t i = 0; i < n; ++i) ++expected[x[i] = static_cast<unsigned>(i * i % 3)];
    const std::vector<unsigned> zeros(4);
    const auto shared = gs::to_device(zeros), dynamic = gs::to_device(zeros), in_block = gs::to_device(zeros),
               global = gs::to_device(zeros);
    const std::size_t blocks = (n + 255) / 256, bytes = 4 * sizeof(unsigned);
    gs::launch<count_bins>({.grid = blocks, .block = 256}, gs::to_device(x), shared);
    gs::launch<count_bins_dynamically>({.grid = blocks, .block = 256, .shared_bytes = bytes}, gs::to_device(x),
                                       dynamic);
    gs::launch<count_bins_in_block>({.shared_bytes = bytes}, gs::to_device(x), in_block);
    gs::launch<count_bins_directly>({.grid = blocks, .block = 256}, gs::to_device(x), global);
    EXPECT_EQ(shared.copy_to_host(), expected);
    EXPECT_EQ(dynamic.copy_to_host(), expected);
    EXPECT_EQ(in_block.copy_to_host(), expected);
    EXPECT_EQ(global.copy_to_host(), expected);
  }
}

}  // namespace
