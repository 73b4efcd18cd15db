// begin() and end() of what kernels index: range-for and the standard algorithms, in row-major order.

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <ranges>
#include <vector>

#include "runtime/gs.h"

namespace {

GS_FN void sum_all(gs::thread t, gs::view<const int> x, gs::view<int> sum) {
  int total = 0;
  for (const int one : x) total += one;
  if (t.grid() == 0) sum[0] = total;
}
GS_FN void number_cells(gs::thread, gs::view<int, 2> a) {
  int number = 0;
  for (int& one : a) one = number++;
}
GS_FN void through_a_tile(gs::thread, gs::view<int> out) {
  gs::local_array<int, 2, 3> a;
  int number = 0;
  for (int& one : a) one = number++;
  out[0] = a(1, 0);
  out[1] = static_cast<int>(a.end() - a.begin());
}
#if !GRIDSTRIDE_CUDA
void standard_algorithms(gs::thread, gs::view<int> x, gs::view<int> out) {
  std::ranges::sort(x);
  out[0] = std::accumulate(x.begin(), x.end(), 0);
  out[1] = *std::max_element(x.begin(), x.end());
}
#endif

}  // namespace

TEST(view_range, goes_through_all_elements) {
  for (std::size_t n : {0, 1, 31, 32, 33, 1009}) {
    std::vector<int> x(n);
    std::iota(x.begin(), x.end(), 1);
    const auto sum = gs::to_device(std::vector<int>{-1});
    gs::launch<sum_all>({}, gs::to_device(x), sum);
    EXPECT_EQ(sum.copy_to_host()[0], static_cast<int>(n * (n + 1) / 2)) << n;
  }
}

TEST(view_range, of_higher_rank_is_row_by_row) {
  const gs::device_array<int> a({3, 4});
  gs::launch<number_cells>({}, a);
  std::vector<int> expected(12);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(a.copy_to_host(), expected);
}

TEST(view_range, of_tiles_and_local_arrays) {
  const gs::device_array<int> out(2);
  gs::launch<through_a_tile>({}, out);
  EXPECT_EQ(out.copy_to_host(), (std::vector<int>{3, 6}));
}

#if !GRIDSTRIDE_CUDA
TEST(view_range, is_taken_by_the_standard_algorithms) {
  const auto x = gs::to_device(std::vector<int>{3, 1, 2});
  const gs::device_array<int> out(2);
  gs::launch<standard_algorithms>({}, x, out);
  EXPECT_EQ(x.copy_to_host(), (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(out.copy_to_host(), (std::vector<int>{6, 3}));
}
#endif

// What a kernel sees is no array of the host: it can't be copied to the device, nor be a ufunc's operand.
static_assert(std::ranges::contiguous_range<gs::view<float>>);
static_assert(!gs::host_array<gs::view<float>> && !gs::host_array<gs::view<const float, 2>>);
static_assert(!gs::host_array<gs::tile<float, 4>>);
