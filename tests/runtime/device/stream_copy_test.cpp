// Copies in streams: queued from and to pinned memory, waited for with any other; beside what other streams do.

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "runtime/array/copy_watch.h"
#include "tests/runtime/device/gate.h"
#include "tests/runtime/refused.h"

namespace stream_copy_test {

using runtime_test::close_at;
using runtime_test::gates;
using runtime_test::reached;
using runtime_test::refused;

void increment(gs::thread t, gs::view<int> x) {
  for (auto i : t.grid_stride(x.size())) ++x[i];
}

constexpr std::size_t sizes[] = {0, 1, 31, 32, 33, 1009, 3'000'000};  // the last one goes past the caches

gs::pinned_array<int> counting(std::size_t n) {
  gs::pinned_array<int> x(n);
  std::iota(x.begin(), x.end(), 1);
  return x;
}
std::vector<int> ordinary(const gs::pinned_array<int>& x) { return {x.begin(), x.end()}; }

class stream_copies : public testing::Test {
 protected:
  stream_copies() { gs::select_device(gs::device_kind::engine); }
  gates gate;
  gs::stream s, other;
};

TEST_F(stream_copies, from_pinned_memory_are_queued) {
  for (const std::size_t n : sizes) {
    runtime_test::gate_open[0] = false;
    const auto x = counting(n);
    gs::device_array<int> y(n);
    y.copy_from_host(std::vector<int>(n));
    close_at(s, 0);
    y.copy_from_host(x, s);  // doesn't wait for the gate
    EXPECT_FALSE(s.idle());
    gate.open(0);
    s.synchronize();
    EXPECT_EQ(y.copy_to_host(), ordinary(x)) << n;
  }
}

TEST_F(stream_copies, to_pinned_memory_are_queued) {
  for (const std::size_t n : sizes) {
    runtime_test::gate_open[0] = false;
    const auto x = gs::to_device(counting(n));
    gs::pinned_array<int> y(n, -1);
    close_at(s, 0);
    gs::launch<increment>({.grid = 4, .block = 64, .stream = s}, x);
    x.copy_to_host(y, s);
    EXPECT_FALSE(s.idle());
    EXPECT_EQ(std::ranges::count(y, -1), static_cast<std::ptrdiff_t>(n)) << "nothing has come yet";
    gate.open(0);
    s.synchronize();
    gs::pinned_array<int> expected(n);
    std::iota(expected.begin(), expected.end(), 2);
    EXPECT_EQ(ordinary(y), ordinary(expected)) << n;
  }
}

TEST_F(stream_copies, run_beside_a_kernel_of_another_stream) {
  const auto x = counting(1009);
  gs::device_array<int> y(x.size());
  gs::pinned_array<int> z(x.size());
  close_at(other, 0);
  ASSERT_TRUE(reached(0));
  y.copy_from_host(x, s);
  y.copy_to_host(z, s);
  s.synchronize();
  EXPECT_FALSE(other.idle());
  EXPECT_EQ(z, x);
}

TEST_F(stream_copies, of_ordinary_memory_return_when_done_and_wait_for_no_other_stream) {
  std::vector<int> x(1009, 7), back(1009);
  gs::device_array<int> y(x.size());
  close_at(other, 0);
  ASSERT_TRUE(reached(0));
  y.copy_from_host(x, s);
  std::ranges::fill(x, 0);  // is the caller's again
  y.copy_to_host(back, s);
  EXPECT_EQ(back, std::vector<int>(1009, 7));
  EXPECT_FALSE(other.idle());
}

TEST_F(stream_copies, of_ordinary_memory_wait_for_their_stream) {
  const auto y = gs::to_device(std::vector<int>(100));
  std::vector<int> back(100);
  close_at(s, 0);
  gs::launch<increment>({.block = 32, .stream = s}, y);
  std::thread opener([&] {
    reached(0);
    gate.open(0);
  });
  y.copy_to_host(back, s);
  EXPECT_EQ(back, std::vector<int>(100, 1));
  opener.join();
}

TEST_F(stream_copies, take_parts_of_pinned_arrays) {
  const auto x = counting(1000);
  gs::pinned_array<int> z(1000);
  const gs::device_array<int> y(1000);
  close_at(s, 0);
  for (std::size_t first = 0; first < 1000; first += 250) {
    auto part = y.slice(first, first + 250);
    part.copy_from_host(std::span(x).subspan(first, 250), s);
    part.copy_to_host(std::span(z).subspan(first, 250), s);
  }
  EXPECT_FALSE(s.idle());
  gate.open(0);
  s.synchronize();
  EXPECT_EQ(z, x);
}

TEST_F(stream_copies, find_pinned_memory_that_was_destroyed_meanwhile) {
  const gs::device_array<int> y(1009);
  std::optional x = counting(1009);
  const int* const place = x->data();
  close_at(s, 0);
  y.slice(0, 1009).copy_from_host(*x, s);
  x.reset();
  const gs::pinned_array<int> next(1009, -5);  // not in the same place: that is still read
  EXPECT_NE(next.data(), place);
  gate.open(0);
  s.synchronize();
  EXPECT_EQ(y.copy_to_host(), ordinary(counting(1009)));
}

TEST_F(stream_copies, are_counted) {
  const auto x = counting(100);
  gs::pinned_array<int> z(100);
  const gs::ledger_scope scope;
  gs::device_array<int> y(100);
  y.copy_from_host(x, s);
  y.copy_to_host(z, s);
  y.slice(0, 0).copy_to_host(std::vector<int>(), s);
  s.synchronize();
  EXPECT_EQ(scope.account().copies_to_device, 1u);
  EXPECT_EQ(scope.account().bytes_to_device, 400u);
  EXPECT_EQ(scope.account().copies_to_host, 2u);
  EXPECT_EQ(scope.account().bytes_to_host, 400u);
}

TEST_F(stream_copies, refuse_other_shapes_and_arrays_that_are_gone) {
  const auto x = counting(100);
  gs::pinned_array<int> too_small(99);
  gs::device_array<int> y({10, 10});
  y.copy_from_host(x, s);  // flat
  EXPECT_TRUE(refused([&] { y.copy_to_host(too_small, s); }, {"shape (10, 10)", "(99,)", "the same shape"}));
  EXPECT_TRUE(refused([&] { y.copy_from_host(too_small, s); }, {"shape (10, 10)", "(99,)", "the same shape"}));
  const gs::device_array<int> taken = std::move(y);
  EXPECT_TRUE(refused([&] { y.copy_from_host(x, s); }, {"a device array", "it was moved from"}));
  EXPECT_TRUE(refused([&] { y.copy_to_host(too_small, s); }, {"a device array", "it was moved from"}));
  const gs::stream moved = std::move(other);
  gs::pinned_array<int> z(100);
  EXPECT_TRUE(refused([&] { taken.copy_to_host(z, other); }, {"a stream", "it was moved from"}));
}

TEST_F(stream_copies, throw_what_went_wrong_before_them_in_their_stream) {
  const auto y = gs::to_device(std::vector<int>(10));
  std::vector<int> back(10);
  gs::launch<increment>({.stream = s}, y);
  gs::detail::queue& work = s.work();
  work.submit(gs::detail::make_host_work("broken", 1,
                                         [](gs::detail::spread_function) { throw std::runtime_error("it broke"); }));
  EXPECT_TRUE(refused<std::runtime_error>([&] { y.copy_to_host(back, s); }, {"it broke"}));
  y.copy_to_host(back, s);
  EXPECT_EQ(back, std::vector<int>(10, 1));
}

TEST_F(stream_copies, are_seen_by_a_watch_which_may_exchange_them) {
  struct exchanger final : gs::detail::copy_watch {
    const void* goes_to_device(const void*, const void*, std::size_t) override { return instead.data(); }
    void came_to_host(const void* to, const void*, std::size_t bytes) override {
      first_to_host = *static_cast<const int*>(to);
      bytes_to_host = bytes;
    }
    std::vector<int> instead = std::vector<int>(100, 3);
    int first_to_host = 0;
    std::size_t bytes_to_host = 0;
  } watch;
  const auto x = counting(100);
  gs::pinned_array<int> z(100);
  gs::device_array<int> y(100);
  gs::detail::watch_copies_by(&watch);
  y.copy_from_host(x, s);
  y.copy_to_host(z, s);
  gs::detail::watch_copies_by(nullptr);
  EXPECT_EQ(ordinary(z), std::vector<int>(100, 3));
  EXPECT_EQ(watch.first_to_host, 3);
  EXPECT_EQ(watch.bytes_to_host, 400u);
}

TEST_F(stream_copies, of_a_pinned_array_that_is_too_large_are_refused_with_its_size) {
  EXPECT_TRUE(refused<gs::machine_error>([] { gs::pinned_array<char> x(std::size_t{1} << 46); },
                                         {"of pinned memory for device engine", "the host has", "smaller size"}));
}

TEST_F(stream_copies, pinned_arrays_begin_with_zeros_and_whole_pages) {
  for (const std::size_t n : sizes) {
    {
      const gs::pinned_array<int> used(n, 1);
    }
    const gs::pinned_array<int> x(n);
    EXPECT_EQ(std::ranges::count(x, 0), static_cast<std::ptrdiff_t>(n));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(x.data()) % 4096, 0u);
  }
}

TEST_F(stream_copies, managed_arrays_need_none) {
  for (const std::size_t n : sizes) {
    runtime_test::gate_open[0] = false;
    runtime_test::gate_reached[0] = 0;
    const gs::ledger_scope scope;
    const gs::managed_array<int> x(n);
    std::ranges::fill(x.on_host(), 4);
    close_at(s, 0);
    gs::launch<increment>({.grid = 4, .block = 64, .stream = s}, x);
    std::thread opener([&] {
      reached(0);
      gate.open(0);
    });
    const std::span<int> after = x.on_host();  // waits for the gate
    EXPECT_EQ(std::ranges::count(after, 5), static_cast<std::ptrdiff_t>(n)) << n;
    EXPECT_EQ(x.copy_to_host(), std::vector<int>(n, 5));
    EXPECT_EQ(scope.account().copies_to_host, 1u) << "the one that was asked for";
    EXPECT_EQ(scope.account().copies_to_device, 0u);
    opener.join();
  }
}

int plus(int a, int b) { return a + b; }

TEST_F(stream_copies, managed_arrays_go_where_device_arrays_go) {
  gs::managed_array<int> x({3, 4});
  std::iota(x.on_host().begin(), x.on_host().end(), 0);
  EXPECT_EQ(gs::vectorize<plus>(x, 1).copy_to_host(), (std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}));
  EXPECT_EQ(gs::vectorize<plus>.reduce(x, gs::axis(0)).copy_to_host(), (std::vector<int>{12, 15, 18, 21}));
  EXPECT_EQ(x[1].copy_to_host(), (std::vector<int>{4, 5, 6, 7}));
  const gs::managed_array<int> taken = std::move(x);
  EXPECT_TRUE(refused([&] { (void)x.on_host(); }, {"a device array", "it was moved from"}));
  EXPECT_EQ(taken.on_host()[11], 11);
  EXPECT_TRUE(refused<gs::machine_error>([] { gs::managed_array<char> large(std::size_t{1} << 46); },
                                         {"of managed memory on device engine"}));
}

}  // namespace stream_copy_test
