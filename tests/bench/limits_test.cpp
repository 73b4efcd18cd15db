// The loops behind the limits move what they say they move.
#include <gtest/gtest.h>

#include <algorithm>

#include "bench/limits/arithmetic.h"
#include "bench/limits/atomics.h"
#include "bench/limits/bandwidth.h"
#include "bench/limits/machine_limits.h"
#include "bench/measure/input.h"
#include "bench/measure/large_buffer.h"
#include "runtime/host/machine.h"

namespace bench {
namespace {

constexpr std::size_t sizes[] = {0, 1, 15, 16, 17, 1023, 100003};
constexpr stores store_kinds[] = {stores::plain, stores::streaming};

TEST(limits, copy) {
  for (const std::size_t n : sizes)
    for (const stores stores_used : store_kinds) {
      const large_buffer<std::byte> from(n), to(n + 64);
      fill(from.span(), [](std::size_t i) { return static_cast<std::byte>(255 * uniform(i)); });
      limits::copy(from.read(), to.span().first(n), stores_used);
      EXPECT_TRUE(std::ranges::equal(from.read(), to.read().first(n))) << n << " bytes, " << to_string(stores_used);
      EXPECT_EQ(to.data()[n], std::byte{0}) << "written behind the end";
    }
}

TEST(limits, triad) {
  for (const std::size_t n : sizes)
    for (const stores stores_used : store_kinds) {
      const large_buffer<float> a(n + 16), b(n), c(n);
      fill(b.span(), [](std::size_t i) { return i % 1000; });
      fill(c.span(), [](std::size_t i) { return 2 * (i % 100); });
      limits::triad(a.span().first(n), b.read(), c.read(), stores_used);
      for (std::size_t i = 0; i < n; ++i)
        ASSERT_EQ(a.data()[i], static_cast<float>(i % 1000 + 6 * (i % 100)))
            << "element " << i << ", " << to_string(stores_used);
      EXPECT_EQ(a.data()[n], 0) << "written behind the end";
    }
}

TEST(limits, read_sees_every_byte) {
  constexpr std::size_t words = 16 * 1237;
  const large_buffer<std::uint32_t> data(words);
  fill(data.span(), [](std::size_t i) { return 4e9 * uniform(i); });
  std::uint32_t expected = 0;
  for (const std::uint32_t word : data.read()) expected ^= word;
  EXPECT_EQ(limits::read(std::as_bytes(data.read())), expected);
  EXPECT_EQ(limits::read_repeatedly(std::as_bytes(data.read()), 3), expected);
  EXPECT_EQ(limits::read_repeatedly(std::as_bytes(data.read()), 2), 0u);
}

// x / 2 + 1 tends to 2 from wherever it starts, and every chain has to get there.
TEST(limits, multiply_add_computes) {
  const auto chains_times_width = static_cast<float>(limits::operations_per_step()) / 2;
  EXPECT_EQ(limits::multiply_add(200), 2 * chains_times_width);
  EXPECT_NE(limits::multiply_add(1), 2 * chains_times_width);
  EXPECT_EQ(limits::multiply_add_on_all_cores(200), 2 * chains_times_width * static_cast<float>(limits::threads()));
}

TEST(limits, atomic_additions_are_all_there) {
  const std::size_t threads = limits::threads();
  for (const std::size_t count : {std::size_t{1}, threads, std::size_t{19}}) {  // more than the counters of a line
    limits::use_threads(count);
    for (const auto sharing : {limits::sharing::counter, limits::sharing::line, limits::sharing::nothing})
      EXPECT_EQ(limits::add_atomically(1009, sharing), 1009 * count) << count << " threads";
  }
  limits::use_threads(threads);
}

TEST(limits, arrays_lie_beyond_the_caches_and_within_memory) {
  machine m = this_machine();
  m.caches = {{.level = 1, .bytes = 1 << 15, .cores = 1}, {.level = 3, .bytes = 1 << 20, .cores = 4}};
  EXPECT_EQ(limit_array_bytes(m, 0), std::size_t{3} << 19);
  EXPECT_EQ(limit_array_bytes(m, 1 << 22), std::size_t{1} << 22);
  EXPECT_LE(limit_array_bytes(m, ~std::size_t{0}) * 3, gs::detail::free_memory());
}

}  // namespace
}  // namespace bench
