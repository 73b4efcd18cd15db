// select_if against std::copy_if.

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "runtime/gs.h"
#include "tests/runtime/libraries/numbers.h"

namespace select_if_test {

GS_FN bool is_multiple_of_three(int x) { return x % 3 == 0; }
GS_FN bool is_positive(float x) { return x > 0; }

template <auto selected, class T>
std::vector<T> copied_if(const std::vector<T>& x) {
  std::vector<T> expected;
  std::copy_if(x.begin(), x.end(), std::back_inserter(expected), selected);
  return expected;
}

TEST(select_if, keeps_what_the_function_wants) {
  for (const std::size_t n : {0, 1, 31, 32, 33, 1009, 150'001}) {
    std::vector<int> x(n);
    for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<int>(i * 7919 % 1000);
    EXPECT_EQ(gs::select_if<is_multiple_of_three>(gs::to_device(x)).copy_to_host(), copied_if<is_multiple_of_three>(x))
        << n << " elements";
    const auto y = runtime_test::numbers<float>(n, 3);
    EXPECT_EQ(gs::select_if<is_positive>(gs::to_device(y)).copy_to_host(), copied_if<is_positive>(y))
        << n << " elements";
  }
}

}  // namespace select_if_test
