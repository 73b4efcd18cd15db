// Names and types of functions passed as template arguments, as messages show them.

#include "runtime/core/signature.h"

#include <gtest/gtest.h>

#include <complex>
#include <string>
#include <string_view>

namespace physics {
float energy(float mass) { return mass * 9e16f; }
namespace detail {
double nothing() { return 0; }
}  // namespace detail
}  // namespace physics

namespace {

float plain(float x, int n) { return x * static_cast<float>(n); }
float never_throws(float x) noexcept { return x; }
float by_reference(const float& x, const std::int16_t& y) { return x + y; }
template <class T>
T templated(T x) {
  return x;
}
template <int N, class T>
T two_parameters(T x) {
  return x * N;
}
struct point {
  float x, y, z;
};
point structured(point p, std::complex<float>, std::uint8_t, bool) { return p; }

TEST(signature, names_of_functions) {
  EXPECT_EQ(gs::detail::signature<physics::energy>::name(), "physics::energy");
  EXPECT_EQ(gs::detail::signature<physics::detail::nothing>::name(), "physics::detail::nothing");
  EXPECT_NE(gs::detail::signature<plain>::name().find("plain"), std::string_view::npos);
  EXPECT_NE(gs::detail::signature<never_throws>::name().find("never_throws"), std::string_view::npos);
#if defined(__clang__)  // names no template's arguments
  const std::string one_argument, two_arguments;
#else
  const std::string one_argument = "<double>", two_arguments = "<3, float>";
#endif
  EXPECT_NE(gs::detail::signature<templated<double>>::name().find("templated" + one_argument), std::string_view::npos);
  const auto two = gs::detail::signature<two_parameters<3, float>>::name();
  EXPECT_NE(two.find("two_parameters" + two_arguments), two.npos) << two;
  for (const auto name : {gs::detail::signature<plain>::name(), two})
    EXPECT_EQ(name.find_first_of(";]=&"), name.npos) << name;
}

TEST(signature, types_as_num_py_writes_them) {
  EXPECT_EQ(gs::detail::signature<plain>::types(), "(float32, int32) -> float32");
  EXPECT_EQ(gs::detail::signature<never_throws>::types(), "(float32) -> float32");
  EXPECT_EQ(gs::detail::signature<physics::detail::nothing>::types(), "() -> float64");
  EXPECT_EQ(gs::detail::signature<by_reference>::types(), "(float32, int16) -> float32");
  EXPECT_EQ(gs::detail::signature<structured>::types(),
            "(struct of 12 bytes, complex64, uint8, bool) -> struct of 12 bytes");
  EXPECT_EQ(gs::detail::signature<physics::energy>::text(), "physics::energy(float32) -> float32");
}

TEST(signature, arity_and_values) {
  using types = gs::detail::signature<by_reference>;
  EXPECT_EQ(types::arity, 2u);
  static_assert(std::is_same_v<types::argument<0>, const float&>);
  static_assert(std::is_same_v<types::argument_values, std::tuple<float, std::int16_t>>);
  static_assert(gs::detail::free_function<never_throws> && !gs::detail::free_function<3>);
}

TEST(dtype, names_of_types) {
  EXPECT_EQ(gs::detail::dtype_name<std::int64_t>(), "int64");
  EXPECT_EQ(gs::detail::dtype_name<unsigned char>(), "uint8");
  EXPECT_EQ(gs::detail::dtype_name<const double>(), "float64");
  EXPECT_EQ(gs::detail::dtype_name<std::complex<double>>(), "complex128");
  EXPECT_EQ(gs::detail::dtype_name<point>(), "struct of 12 bytes");
}

}  // namespace
