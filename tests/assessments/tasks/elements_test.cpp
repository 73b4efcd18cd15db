// Arrays of a call, filled and compared on all cores.

#include "assessments/grader/tasks/elements.h"

#include <gtest/gtest.h>

#include <atomic>
#include <vector>

namespace elements_test {

TEST(elements, are_the_bytes_of_an_array) {
  std::vector<float> x{1, 2, 3};
  const auto elements = grader::elements<float>(std::as_writable_bytes(std::span(x)));
  ASSERT_EQ(elements.size(), 3u);
  elements[1] = 7;
  EXPECT_EQ(x[1], 7);
  EXPECT_EQ(grader::elements<float>(std::as_bytes(std::span(x))).data(), x.data());
}

TEST(elements, fill_reaches_each_once) {
  for (const std::size_t n : {0, 1, 31, 32, 33, 1009, 16'384, 16'385, 1'000'003}) {
    std::vector<unsigned> x(n);
    std::atomic<std::size_t> calls = 0;
    grader::fill(std::span(x), [&](std::size_t i) {
      ++calls;
      return static_cast<unsigned>(3 * i + 1);
    });
    EXPECT_EQ(calls, n);
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(x[i], 3 * i + 1);
  }
}

TEST(elements, find_wrong_counts_all_and_names_the_first) {
  for (const std::size_t n : {1, 31, 32, 33, 1009, 16'384, 16'385, 1'000'003}) {
    EXPECT_EQ(grader::find_wrong(n, [](std::size_t) { return false; }).count, 0u);
    for (const std::size_t i : {std::size_t{0}, n / 2, n - 1}) {
      const auto wrong = grader::find_wrong(n, [=](std::size_t k) { return k == i; });
      EXPECT_EQ(wrong.count, 1u);
      EXPECT_EQ(wrong.first, i);
      const auto wrong_elements = grader::find_wrong(n, [=](std::size_t k) { return k >= i; });
      EXPECT_EQ(wrong_elements.count, n - i);
      EXPECT_EQ(wrong_elements.first, i);
    }
  }
  EXPECT_EQ(grader::find_wrong(0, [](std::size_t) { return true; }).count, 0u);
}

}  // namespace elements_test
