// What a ufunc gives for an element depends on its operands alone: not on the element's position, on the elements
// beside it, on how the operands are broadcast, on the target or on the number of cores. Functions of libmvec and of
// libm differ in the last place, which shows where it does.

#include "runtime/ufunc/lanes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "runtime/array/xtensor.h"
#include "runtime/gs.h"
#include "tests/runtime/ufunc/targets.h"

namespace lanes_test {
namespace {

using runtime_test::all_targets;

template <class T>
GS_FN T exponential(T x) {
  return std::exp(x);
}
template <class T>
GS_FN T logarithm(T x) {
  return std::log(std::abs(x));
}
template <class T>
GS_FN T sine(T x) {
  return std::sin(x);
}
template <class T>
GS_FN T cosine(T x) {
  return std::cos(x);
}
template <class T>
GS_FN T hyperbolic_tangent(T x) {
  return std::tanh(x);
}
template <class T>
GS_FN T error_function(T x) {
  return std::erf(x) + std::cbrt(x);
}
template <class T>
GS_FN T power(T x, T y) {
  return std::pow(std::abs(x), y);
}
template <class T>
GS_FN T products(T x, T y) {  // which of them is fused with the sum?
  return x * x + y * y;
}
template <class T>
GS_FN T normal_density(T x, T mean, T sigma) {
  const T z = (x - mean) / sigma;
  return std::exp(-z * z / 2) / (sigma * T(2.5066283));
}
template <class T>
GS_FN T of_four(T a, T b, T c, T d) {
  return std::sin(a) + std::cos(b) * std::exp(c - d);
}
GS_FN std::uint8_t level(float x) { return static_cast<std::uint8_t>(100 + 10 * std::sin(x)); }
GS_FN double widened(float x, double y) { return std::exp(static_cast<double>(x)) * y; }
GS_FN float narrow_inside(float x) {
  const auto step = static_cast<std::int8_t>(10 * std::sin(x));
  return std::exp(x) + static_cast<float>(step);
}
template <class T>
GS_FN T log_add(T a, T b) {
  return std::log(std::exp(a) + std::exp(b));
}
template <class T>
GS_FN void polar(T x, T y, T& radius, T& angle) {
  radius = std::hypot(x, y);
  angle = std::atan2(y, x);
}
template <class T>
GS_FN void softened(gs::view<const T, 1> a, T by, gs::view<T, 1> out) {
  for (std::size_t k = 0; k < a.extent(0); ++k) out[k] = std::exp(-a[k] * by);
}

template <class T>
std::vector<T> numbers(std::size_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<T> uniform(T(-3), T(3));
  std::vector<T> x(n);
  for (T& x_element : x) x_element = uniform(random);
  return x;
}
template <class T>
testing::AssertionResult equal_bits(const std::vector<T>& a, const std::vector<T>& b) {
  if (a.size() != b.size()) return testing::AssertionFailure() << a.size() << " and " << b.size() << " elements";
  for (std::size_t i = 0; i < a.size(); ++i)
    if (std::memcmp(&a[i], &b[i], sizeof(T)) != 0)
      return testing::AssertionFailure() << "element " << i << ": " << a[i] << " and " << b[i];
  return testing::AssertionSuccess();
}
template <class T>
std::vector<T> part(const std::vector<T>& x, std::size_t first, std::size_t count) {
  return {x.begin() + static_cast<std::ptrdiff_t>(first), x.begin() + static_cast<std::ptrdiff_t>(first + count)};
}
template <class T>
xt::xarray<T> as_matrix(const std::vector<T>& x, std::size_t rows, std::size_t columns) {
  xt::xarray<T> matrix = xt::xarray<T>::from_shape({rows, columns});
  std::copy(x.begin(), x.end(), matrix.storage().begin());
  return matrix;
}
template <class T>
std::vector<T> flat(const xt::xarray<T>& matrix) {
  return {matrix.storage().begin(), matrix.storage().end()};
}

constexpr std::size_t most = 1009;

// Each element computed alone, then in arrays of every size, from every place on, and on every target.
template <auto F, class R, class... T>
void expect_position_is_nothing(const std::vector<T>&... x) {
  constexpr auto f = gs::vectorize<F>;
  const auto on_cpu = f.on(gs::target::cpu);
  std::vector<R> alone;
  for (std::size_t i = 0; i < most; ++i) alone.push_back(on_cpu(part(x, i, 1)...)[0]);
  for (std::size_t n = 0; n <= 70; ++n) ASSERT_TRUE(equal_bits(on_cpu(part(x, 0, n)...), part(alone, 0, n))) << n;
  for (std::size_t first = 0; first <= 70; ++first)
    ASSERT_TRUE(equal_bits(on_cpu(part(x, first, 33)...), part(alone, first, 33))) << first;
  if (!runtime_test::same_code_everywhere()) return;
  for (const gs::target target : all_targets) ASSERT_TRUE(equal_bits(f.on(target)(x...), alone)) << to_string(target);
  for (std::size_t i = 0; i < most; i += 97) {
    const R value_expected = f(x[i]...);
    ASSERT_EQ(std::memcmp(&value_expected, &alone[i], sizeof(R)), 0) << "as a scalar, element " << i;
  }
}

template <class T>
class of_type : public testing::Test {};
using floating_types = testing::Types<float, double>;
TYPED_TEST_SUITE(of_type, floating_types);

TYPED_TEST(of_type, an_element_doesnt_depend_on_its_position) {
  using T = TypeParam;
  const auto a = numbers<T>(most, 1), b = numbers<T>(most, 2), c = numbers<T>(most, 3), d = numbers<T>(most, 4);
  expect_position_is_nothing<exponential<T>, T>(a);
  expect_position_is_nothing<logarithm<T>, T>(a);
  expect_position_is_nothing<sine<T>, T>(a);
  expect_position_is_nothing<cosine<T>, T>(a);
  expect_position_is_nothing<hyperbolic_tangent<T>, T>(a);
  expect_position_is_nothing<error_function<T>, T>(a);
  expect_position_is_nothing<power<T>, T>(a, b);
  expect_position_is_nothing<products<T>, T>(a, b);
  expect_position_is_nothing<normal_density<T>, T>(a, b, c);
  expect_position_is_nothing<of_four<T>, T>(a, b, c, d);
}
TEST(lanes, smaller_types_in_a_function_change_nothing) {
  const auto x = numbers<float>(most, 1);
  const auto y = numbers<double>(most, 2);
  expect_position_is_nothing<level, std::uint8_t>(x);
  expect_position_is_nothing<narrow_inside, float>(x);
  expect_position_is_nothing<widened, double>(x, y);
}

// An operand that is repeated, along the rows or down the columns, is the operand written out.
TYPED_TEST(of_type, an_element_doesnt_depend_on_what_is_broadcast) {
  using T = TypeParam;
  constexpr auto f = gs::vectorize<normal_density<T>>;
  for (const std::size_t columns : {1ul, 3ul, 16ul, 31ul, 33ul, 1009ul}) {
    const std::size_t rows = columns == 1009 ? 41 : 67;  // 41 x 1009: several pieces for several cores
    const auto x = numbers<T>(rows * columns, 1), row = numbers<T>(columns, 2), column = numbers<T>(rows, 3);
    std::vector<T> all_rows, all_columns, expected, expected_of_value;
    for (std::size_t i = 0; i < x.size(); ++i) {
      all_rows.push_back(row[i % columns]);
      all_columns.push_back(column[i / columns]);
      expected.push_back(f(x[i], all_rows[i], all_columns[i]));
      expected_of_value.push_back(f(x[i], all_rows[i], T(2)));
    }
    const auto a = as_matrix(x, rows, columns), b = as_matrix(row, 1, columns), c = as_matrix(column, rows, 1);
    for (const gs::target target : all_targets) {
      if (!runtime_test::same_code_everywhere() && target == gs::target::device) continue;
      const auto on = f.on(target);
      const auto place = testing::Message() << rows << " x " << columns << " " << to_string(target);
      ASSERT_TRUE(equal_bits(on(x, all_rows, all_columns), expected)) << place;
      ASSERT_TRUE(equal_bits(flat<T>(on(a, b, c)), expected)) << place;
      ASSERT_TRUE(equal_bits(flat<T>(on(a, b, T(2))), expected_of_value)) << place;
    }
  }
}
TYPED_TEST(of_type, outer_computes_each_pair_like_a_call_of_it) {
  using T = TypeParam;
  constexpr auto f = gs::vectorize<power<T>>;
  for (const std::size_t n : {1ul, 3ul, 33ul, 1009ul}) {
    const auto a = numbers<T>(29, 1), b = numbers<T>(n, 2);
    std::vector<T> expected;
    for (const T left : a)
      for (const T right : b) expected.push_back(f(left, right));
    for (const gs::target target : {gs::target::cpu, gs::target::parallel})
      ASSERT_TRUE(equal_bits(f.on(target).outer(a, b), expected)) << n;
  }
}

// Pieces of cores, however they are cut.
TEST(lanes, any_pieces_give_the_whole) {
  const auto x = numbers<float>(257 * 33, 1), row = numbers<float>(33, 2);
  const gs::shape whole({257, 33}), one_row({1, 33});
  const auto into = [&](std::vector<float>& out) {
    return gs::detail::elementwise<power<float>, float, gs::detail::array_operand<float>,
                                   gs::detail::array_operand<float>>(out.data(), whole, {&whole, &one_row}, {x.data()},
                                                                     {row.data()});
  };
  std::vector<float> expected(x.size());
  into(expected).run(0, x.size());
  std::mt19937 random(1);
  for (int repeat = 0; repeat < 50; ++repeat) {
    std::vector<float> pieces(x.size() + 1, 7.0f);
    for (std::size_t begin = 0; begin < x.size();) {
      const std::size_t end = std::min(x.size(), begin + random() % 300);
      into(pieces).run(begin, end);
      begin = end;
    }
    EXPECT_EQ(pieces.back(), 7.0f) << "written behind the end";
    pieces.pop_back();
    ASSERT_TRUE(equal_bits(pieces, expected));
  }
}
// A result that is streamed past the caches begins and ends anywhere in a line.
TEST(lanes, streamed_results_are_the_same) {
  const std::size_t n = std::max(gs::detail::streaming_threshold() / sizeof(float), gs::detail::least_streamed) + 1009;
  const auto x = numbers<float>(n, 1);
  std::vector<float> result(n + 16, 7.0f);
  const auto f = gs::vectorize<exponential<float>>.on(gs::target::cpu);
  for (const std::size_t offset : {0ul, 1ul, 15ul}) {
    std::span<float> out(result.data() + offset, n);
    f(x, gs::out(out));
    for (std::size_t i = 0; i < n; i += i < 70 || i + 1100 > n ? 1 : 4099) {
      const float alone = f(x[i]);
      ASSERT_EQ(std::memcmp(&alone, &out[i], sizeof(float)), 0) << offset << " " << i;
    }
  }
}
GS_FN std::int32_t quotient(std::int32_t a, std::int32_t b) { return a / b; }
TEST(lanes, no_function_sees_operands_that_were_not_given) {
  // Were the lanes filled up with zeros, the division would trap.
  for (std::size_t n = 1; n < 40; ++n) {
    const std::vector<std::int32_t> a(n, 42), b(n, 6), expected(n, 7);
    EXPECT_EQ(gs::vectorize<quotient>.on(gs::target::cpu)(a, b), expected);
  }
}

TYPED_TEST(of_type, calls_of_a_generalised_ufunc_dont_depend_on_their_position) {
  using T = TypeParam;
  constexpr auto f = gs::guvectorize<polar<T>, "(),()->(),()">;
  const auto x = numbers<T>(most, 1), y = numbers<T>(most, 2);
  std::vector<T> radius(most), angle(most);
  for (std::size_t i = 0; i < most; ++i) {
    std::vector<T> r(1), a(1);
    f.on(gs::target::cpu)(part(x, i, 1), part(y, i, 1), gs::out(r), gs::out(a));
    radius[i] = r[0], angle[i] = a[0];
  }
  for (const gs::target target : all_targets) {
    if (!runtime_test::same_code_everywhere() && target == gs::target::device) continue;
    for (const std::size_t n : {1ul, 15ul, 16ul, 17ul, 31ul, 33ul, 70ul, most}) {
      std::vector<T> r(n), a(n);
      f.on(target)(part(x, 0, n), part(y, 0, n), gs::out(r), gs::out(a));
      ASSERT_TRUE(equal_bits(r, part(radius, 0, n))) << n;
      ASSERT_TRUE(equal_bits(a, part(angle, 0, n))) << n;
      f.on(target)(part(x, 0, n), part(y, 7, 1), gs::out(r), gs::out(a));
      std::vector<T> r2(n), a2(n);
      f.on(target)(part(x, 0, n), std::vector<T>(n, y[7]), gs::out(r2), gs::out(a2));
      ASSERT_TRUE(equal_bits(r, r2)) << n << " with one that is repeated";
      ASSERT_TRUE(equal_bits(a, a2)) << n << " with one that is repeated";
    }
  }
}
TYPED_TEST(of_type, calls_over_small_cores_dont_depend_on_their_position) {
  using T = TypeParam;
  constexpr auto f = gs::guvectorize<softened<T>, "(n),()->(n)">;
  for (const std::size_t n : {1ul, 2ul, 3ul, 4ul, 5ul, 17ul}) {
    const std::size_t calls = 70;
    const auto x = numbers<T>(calls * n, 1), by = numbers<T>(calls, 2);
    const auto run = [&](std::size_t first, std::size_t count) {
      return flat<T>(f.on(gs::target::cpu)(as_matrix(part(x, first * n, count * n), count, n), part(by, first, count)));
    };
    const auto whole = run(0, calls);
    for (std::size_t first = 0; first < calls; first += 3)
      for (const std::size_t count : {1ul, 2ul, 16ul, 31ul})
        if (first + count <= calls) {
          ASSERT_TRUE(equal_bits(run(first, count), part(whole, first * n, count * n))) << n << " " << first;
        }
  }
}
GS_FN void first_only(float x, gs::view<float, 1> out) { out[0] = x; }
TEST(lanes, outputs_that_a_function_leaves_alone_stay) {
  const auto x = numbers<float>(19, 1);
  xt::xarray<float> out = 5.0f * xt::ones<float>({19, 3});
  gs::guvectorize<first_only, "()->(3)">.on(gs::target::cpu)(x, gs::out(out));
  for (std::size_t i = 0; i < 19; ++i) {
    EXPECT_EQ(out(i, 0), x[i]);
    EXPECT_EQ(out(i, 1), 5.0f);
    EXPECT_EQ(out(i, 2), 5.0f);
  }
}

// Folding a column gives the same bits, whatever its neighbours and whichever core folds it.
TYPED_TEST(of_type, a_reduced_column_doesnt_depend_on_its_position) {
  using T = TypeParam;
  constexpr auto f = gs::vectorize<log_add<T>>;
  for (const std::size_t rows : {2ul, 31ul, 1030ul}) {
    const std::size_t columns = 70;
    const auto x = numbers<T>(rows * columns, 1);
    const auto whole = f.on(gs::target::cpu).reduce(as_matrix(x, rows, columns), gs::axis(0));
    const auto cores = f.on(gs::target::parallel).reduce(as_matrix(x, rows, columns), gs::axis(0));
    const auto started = f.on(gs::target::cpu).reduce(as_matrix(x, rows, columns), gs::axis(0), gs::initial(T(1)));
    for (std::size_t first = 0; first + 2 <= columns; ++first) {
      std::vector<T> two;
      for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < 2; ++j) two.push_back(x[i * columns + first + j]);
      const auto result = f.on(gs::target::cpu).reduce(as_matrix(two, rows, 2), gs::axis(0));
      const auto begun = f.on(gs::target::cpu).reduce(as_matrix(two, rows, 2), gs::axis(0), gs::initial(T(1)));
      for (std::size_t j = 0; j < 2; ++j) {
        ASSERT_EQ(std::memcmp(result.data() + j, whole.data() + first + j, sizeof(T)), 0) << rows << " " << first + j;
        ASSERT_EQ(std::memcmp(result.data() + j, cores.data() + first + j, sizeof(T)), 0) << rows << " " << first + j;
        ASSERT_EQ(std::memcmp(begun.data() + j, started.data() + first + j, sizeof(T)), 0) << rows << " " << first + j;
      }
    }
  }
}

// A running result is that of its column alone, on any number of cores.
TYPED_TEST(of_type, an_accumulated_column_doesnt_depend_on_its_position) {
  using T = TypeParam;
  constexpr auto f = gs::vectorize<log_add<T>>;
  for (const std::size_t rows : {2ul, 33ul, 9001ul}) {
    const std::size_t columns = 19;
    const auto x = numbers<T>(rows * columns, 1);
    const auto whole = flat<T>(f.on(gs::target::cpu).accumulate(as_matrix(x, rows, columns), gs::axis(0)));
    ASSERT_TRUE(
        equal_bits(flat<T>(f.on(gs::target::parallel).accumulate(as_matrix(x, rows, columns), gs::axis(0))), whole));
    for (std::size_t column = 0; column < columns; ++column) {
      std::vector<T> alone, expected;
      for (std::size_t row = 0; row < rows; ++row) {
        alone.push_back(x[row * columns + column]);
        expected.push_back(whole[row * columns + column]);
      }
      ASSERT_TRUE(equal_bits(f.on(gs::target::cpu).accumulate(alone), expected)) << rows << " " << column;
    }
  }
}
// A function of a single value is computed once, by the same code as for arrays: here its exponential.
TYPED_TEST(of_type, a_value_given_for_all_is_computed_like_an_array_of_it) {
  using T = TypeParam;
  constexpr auto f = gs::vectorize<of_four<T>>;
  for (const std::size_t n : {1ul, 7ul, 16ul, 33ul, 1009ul}) {
    const auto x = numbers<T>(n, 1);
    for (const T value : numbers<T>(20, 2)) {
      const std::vector<T> values(n, value);
      ASSERT_TRUE(equal_bits(f.on(gs::target::cpu)(x, value, value, x), f.on(gs::target::cpu)(x, values, values, x)))
          << n;
    }
  }
}

}  // namespace

}  // namespace lanes_test
