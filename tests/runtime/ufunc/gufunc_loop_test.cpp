// The loop of a generalised ufunc by itself: single calls, ranges, broadcast rows.

#include "runtime/ufunc/gufunc_loop.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace {

GS_FN void multiply_matrices(gs::view<const float, 2> a, gs::view<const float, 2> b, gs::view<float, 2> c) {
  for (std::size_t i = 0; i < c.extent(0); ++i)
    for (std::size_t j = 0; j < c.extent(1); ++j) {
      float sum = 0;
      for (std::size_t k = 0; k < b.extent(0); ++k) sum += a(i, k) * b(k, j);
      c(i, j) = sum;
    }
}

// A GPU's threads do calls one by one, a core ranges of them.
TEST(gufunc_loop, calls_one_by_one_are_the_same_as_ranges) {
  using extents = gs::detail::core_extents<0, 0, 0>;
  using inputs = std::tuple<gs::detail::core<float, 0, 1>, gs::detail::core<float, 1, 2>>;
  using outputs = std::tuple<gs::detail::core<float, 0, 2>>;
  using matrices = gs::detail::array_operand<float>;
  for (std::size_t n : {2ul, 3ul, 4ul, 5ul}) {
    std::vector<float> a(7 * n * n), b(n * n);
    std::iota(a.begin(), a.end(), 1.0f);
    std::iota(b.begin(), b.end(), -3.0f);
    std::vector<float> items(7 * n * n), ranges(7 * n * n);
    const extents sizes{{n, n, n}};
    const gs::shape loop(7), none;
    const auto over = [&](float* out) {
      return gs::detail::gufunc_loop<multiply_matrices, extents, inputs, outputs, matrices, matrices>(
          std::tuple(out), loop, sizes, {&loop, &none}, {a.data()}, {b.data()});
    };
    const auto by_item = over(items.data()), by_range = over(ranges.data());
    for (std::size_t i = 0; i < by_item.size(); ++i) by_item.at(i);
    by_range.run(0, 3);
    by_range.run(3, 7);
    EXPECT_EQ(items, ranges);
  }
}

}  // namespace
