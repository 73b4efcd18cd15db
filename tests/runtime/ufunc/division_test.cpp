// A ufunc whose function divides an integer by zero, or the most negative one by -1: an error, and the program goes on.

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "runtime/gs.h"
#include "tests/runtime/refused.h"
#include "tests/runtime/ufunc/targets.h"

#if defined(__x86_64__) && \
    !defined(__SANITIZE_ADDRESS__)  // the sanitizers report it first; other processors don't stop

namespace division_test {
namespace {

using runtime_test::refused;

GS_FN std::int32_t quotient(std::int32_t a, std::int32_t b) { return a / b; }
GS_FN std::int64_t remainder_of(std::int64_t a, std::int64_t b) { return a % b; }
GS_FN float share(float x, std::uint32_t n) { return x + static_cast<float>(100u / n); }
GS_FN void divide_sum(gs::view<const std::int32_t> x, std::int32_t n, std::int32_t& out) {
  out = 0;
  for (std::size_t i = 0; i < x.size(); ++i) out += x[i] / n;
}
inline constexpr auto divide = gs::vectorize<quotient>;
inline constexpr auto modulo = gs::vectorize<remainder_of>;
inline constexpr auto shares = gs::vectorize<share>;
inline constexpr auto divide_sums = gs::guvectorize<divide_sum, "(n),()->()">;

constexpr std::int32_t lowest = std::numeric_limits<std::int32_t>::min();

class ufunc_division : public testing::TestWithParam<gs::target> {
 protected:
  void SetUp() override {
    if (GetParam() == gs::target::device && !runtime_test::same_code_everywhere()) GTEST_SKIP() << "a GPU doesn't stop";
  }
  // Calls, and on the device waits.
  template <class Call>
  static auto waiting(const Call& call) {
    return [=] {
      call();
      gs::synchronize();
    };
  }
};

}  // namespace

TEST_P(ufunc_division, by_zero_names_the_function_the_element_and_its_operands) {
  for (std::size_t n : {1, 31, 32, 33, 1009, 100'000})
    for (std::size_t position : {std::size_t{0}, n / 2, n - 1}) {
      std::vector<std::int32_t> a(n, 7), b(n, 2);
      b[position] = 0;
      EXPECT_TRUE(refused(waiting([&] { divide.on(GetParam())(a, b); }),
                          {"ufunc", "quotient(7, 0)", "for element " + std::to_string(position) + " of the result",
                           "divides an integer by zero", "test the divisor"}))
          << n;
      b[position] = 2;
      EXPECT_EQ(divide.on(GetParam())(a, b), std::vector<std::int32_t>(n, 3)) << "the next call works";
    }
}

TEST_P(ufunc_division, of_the_most_negative_number_by_minus_one) {
  const std::vector<std::int32_t> a{1, lowest, 3};
  EXPECT_TRUE(refused(waiting([&] { divide.on(GetParam())(a, -1); }),
                      {"quotient(-2147483648, -1) for element 1 of the result", "the most negative one by -1"}));
}

TEST_P(ufunc_division, of_remainders_and_inside_of_any_function) {
  EXPECT_TRUE(refused(waiting([&] { modulo.on(GetParam())(std::vector<std::int64_t>{4, 5}, std::int64_t{0}); }),
                      {"remainder_of(4, 0) for element 0"}));
  EXPECT_TRUE(refused(waiting([&] { shares.on(GetParam())(1.5f, std::vector<std::uint32_t>{1, 2, 0}); }),
                      {"share(1.5, 0) for element 2"}));
}

TEST_P(ufunc_division, in_place_the_element_isnt_known) {
  std::vector<std::int32_t> a{8, 8, 0, 8};
  if (GetParam() == gs::target::device) {  // to which host arrays would be copied first
    const auto d = gs::to_device(a);
    EXPECT_TRUE(refused(waiting([&] { divide(8, d, gs::out(d)); }), {"a call of", "quotient divides"}));
  } else {
    EXPECT_TRUE(refused([&] { divide.on(GetParam())(8, a, gs::out(a)); }, {"a call of", "quotient divides"}));
  }
}

TEST_P(ufunc_division, of_broadcast_operands_is_counted_in_the_result) {
  const auto a = std::vector<std::int32_t>{1, 2, 3}, b = std::vector<std::int32_t>{4, 0};
  EXPECT_TRUE(refused(waiting([&] { divide.on(GetParam()).outer(a, b); }), {"quotient(1, 0) for element 1 of"}));
}

TEST_P(ufunc_division, in_reductions_and_generalised_ufuncs) {
  const std::vector<std::int32_t> x{8, 0, 2};
  EXPECT_TRUE(refused(waiting([&] { divide.on(GetParam()).reduce(x); }), {"ufunc", "quotient", "divides an integer"}));
  EXPECT_TRUE(refused(waiting([&] { divide.on(GetParam()).accumulate(x); }), {"ufunc", "quotient", "divides"}));
  EXPECT_TRUE(refused(waiting([&] { divide_sums.on(GetParam())(x, 0); }), {"ufunc", "divide_sum", "divides"}));
}

INSTANTIATE_TEST_SUITE_P(targets, ufunc_division,
                         testing::Values(gs::target::cpu, gs::target::parallel, gs::target::device),
                         [](const auto& target) { return std::string(gs::to_string(target.param)); });

TEST(ufunc_division, of_scalars) {
  EXPECT_EQ(divide(7, 2), 3);
  EXPECT_TRUE(refused([] { divide(7, 0); }, {"ufunc", "quotient(7, 0) divides an integer by zero"}));
  EXPECT_TRUE(refused([] { divide(lowest, -1); }, {"quotient(-2147483648, -1)"}));
  EXPECT_EQ(divide(7, 2), 3);
}

TEST(ufunc_division, of_device_arrays_is_reported_where_one_waits) {
  if (!runtime_test::same_code_everywhere()) GTEST_SKIP() << "a GPU doesn't stop";
  const auto a = gs::to_device(std::vector<std::int32_t>(100'000, 7)), b = gs::to_device(std::vector<std::int32_t>{0});
  EXPECT_TRUE(refused(
      [&] {
        const auto c = divide(a, b);
        (void)c.copy_to_host();
      },
      {"quotient(7, 0) for element 0"}));
  EXPECT_EQ(divide(a, 7).copy_to_host(), std::vector<std::int32_t>(100'000, 1));
}

#if !GRIDSTRIDE_CUDA  // nothing is thrown on a GPU
std::int32_t throws_or_divides(std::int32_t a, std::int32_t b) {
  if (b == 1) throw std::runtime_error("one");
  return a / b;
}
TEST(ufunc_division, exceptions_of_the_function_still_arrive) {
  constexpr auto f = gs::vectorize<throws_or_divides>;
  const auto on_cpu = f.on(gs::target::cpu);
  for (int round = 0; round < 2; ++round) {
    EXPECT_THROW(on_cpu(std::vector<std::int32_t>{1, 2}, 1), std::runtime_error);
    EXPECT_TRUE(refused([&] { on_cpu(std::vector<std::int32_t>{1, 2}, 0); }, {"throws_or_divides(1, 0)"}));
  }
}

#endif

}  // namespace division_test

#endif
