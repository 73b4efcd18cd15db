// Which lines copy between the host and the device, by themselves and by calls on host arrays.

#include <gtest/gtest.h>

#include <vector>

#include "runtime/gs.h"
#include "runtime/instruments/inspect.h"

namespace copies_test {

GS_FN float twice(float x) { return 2 * x; }
GS_FN float plus(float x, float y) { return x + y; }

gs::line_copies at_line(const gs::inspection& result, unsigned line) {
  for (const gs::line_copies& c : result.copies)
    if (c.where.line == line && c.where.file.ends_with("copies_test.cpp")) return c;
  return {};
}

TEST(copies, are_those_of_a_line_whoever_makes_them) {
  gs::select_device(gs::device_kind::engine);
  const std::vector<float> x(1000, 1.5f);
  std::vector<float> y(1000), z(1000);
  unsigned line_to_device = 0, line_to_host = 0, line_of_one = 0, two = 0;
  const gs::ledger_scope scope;
  const gs::inspection result = gs::inspect([&] {
    const auto on_device = gs::to_device(x);
    line_to_device = __LINE__ - 1;
    for (int k = 0; k < 3; ++k) on_device.copy_to_host(y);
    line_to_host = __LINE__ - 1;
    y = gs::vectorize<twice>.on(gs::target::device)(x);
    line_of_one = __LINE__ - 1;
    gs::vectorize<plus>.on(gs::target::device)(x, y, gs::out(z));
    two = __LINE__ - 1;
    (void)gs::vectorize<twice>.on(gs::target::cpu)(x);
    (void)gs::vectorize<twice>(on_device);
  });
  EXPECT_EQ(z[999], 4.5f);
  EXPECT_EQ(at_line(result, line_to_device).copies_to_device, 1u);
  EXPECT_EQ(at_line(result, line_to_device).bytes_to_device, 4000u);
  EXPECT_EQ(at_line(result, line_to_device).copies_to_host, 0u);
  EXPECT_EQ(at_line(result, line_to_host).copies_to_host, 3u);
  EXPECT_EQ(at_line(result, line_to_host).bytes_to_host, 12'000u);
  EXPECT_EQ(at_line(result, line_of_one).copies_to_device, 1u);
  EXPECT_EQ(at_line(result, line_of_one).copies_to_host, 1u);
  EXPECT_EQ(at_line(result, two).copies_to_device, 2u);
  EXPECT_EQ(at_line(result, two).bytes_to_device, 8000u);
  EXPECT_EQ(at_line(result, two).copies_to_host, 1u);
  EXPECT_EQ(result.copies.size(), 4u);
  gs::line_copies total;
  for (const gs::line_copies& c : result.copies) total.add(c);
  const gs::ledger account = scope.account();
  EXPECT_EQ(total.copies_to_device, account.copies_to_device);
  EXPECT_EQ(total.bytes_to_device, account.bytes_to_device);
  EXPECT_EQ(total.copies_to_host, account.copies_to_host);
  EXPECT_EQ(total.bytes_to_host, account.bytes_to_host);
}

TEST(copies, in_a_stream_count_like_others) {
  gs::select_device(gs::device_kind::engine);
  gs::pinned_array<float> x(1000, 1.5f);
  gs::device_array<float> on_device(1000);
  const gs::stream s;
  unsigned line_to_device = 0, line_to_host = 0;
  const gs::inspection result = gs::inspect([&] {
    on_device.copy_from_host(x, s);
    line_to_device = __LINE__ - 1;
    for (int k = 0; k < 3; ++k) on_device.copy_to_host(x, s);
    line_to_host = __LINE__ - 1;
  });
  EXPECT_EQ(at_line(result, line_to_device).copies_to_device, 1u);
  EXPECT_EQ(at_line(result, line_to_device).bytes_to_device, 4000u);
  EXPECT_EQ(at_line(result, line_to_host).copies_to_host, 3u);
  EXPECT_EQ(at_line(result, line_to_host).bytes_to_host, 12'000u);
  EXPECT_EQ(result.copies.size(), 2u);
}

TEST(copies, of_nothing_count_and_those_of_before_do_not) {
  gs::select_device(gs::device_kind::engine);
  const auto earlier = gs::to_device(std::vector<float>(8));
  gs::inspection result = gs::inspect([&] { (void)gs::to_device(std::vector<float>()); });
  ASSERT_EQ(result.copies.size(), 1u);
  EXPECT_EQ(result.copies[0].copies_to_device, 1u);
  EXPECT_EQ(result.copies[0].bytes_to_device, 0u);
  gs::inspect_options no_instruments;
  no_instruments.counters = false;
  result = gs::inspect([&] { (void)earlier.copy_to_host(); }, no_instruments);
  EXPECT_TRUE(result.copies.empty());
}

}  // namespace copies_test
