// What the type inspector is tried on: each function is one case, and inspect_test.cpp says what must be found in it.

#include "tests/inspect/widening_cases.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <source_location>

#include "tests/inspect/widening_in_header.h"

namespace cases {

using real = double;
using small = float;

double takes_double(double x) { return x + 1.0; }
double takes_mixed(double x, int n, double y) { return x * n + y; }

// A double operand.
float literal_left(float x) { return static_cast<float>(0.1 * x); }
float literal_right(float x) { return static_cast<float>(x / 3.3); }
float exact_literal(float x) { return static_cast<float>(0.5 * x); }
float double_variable(float x) {
  const double scale = static_cast<double>(static_cast<int>(x)) + 0.1;
  return static_cast<float>(x * scale);
}
float two_in_one(float x, float y) { return static_cast<float>(x * 0.1 + y * 0.3); }
float of_a_sum(float x, float y) { return static_cast<float>(0.1 * (x + y)); }
float over_lines(float x, float y) {
  return static_cast<float>(0.7 *  // times
                            (x - y));
}
float compound(float x) {
  x = static_cast<float>(x - 1.1);
  double sum = 0;
  sum += x;
  return static_cast<float>(sum * sum);
}
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wfloat-conversion"
#pragma GCC diagnostic ignored "-Wconversion"  // which it belongs to for clang
float compound_literal(float x) {
  x *= 4.3;
  return x;
}
#pragma GCC diagnostic pop
bool comparison(float x) { return x > 0.1; }
bool exact_comparison(float x) { return x < 0.25; }
float constant(double x) { return static_cast<float>(0.1f * x); }
float within_call(float x, float y) { return static_cast<float>(x * takes_double(y)); }
float choice(bool b, float x, double y) { return static_cast<float>(takes_double(b ? x : y)); }
float chosen_literal(float x) { return static_cast<float>((x > 0.0f ? x : 0.1) * 1.1); }
float loop(const float x) {
  double sum = 0.0;
  for (int i = 0; i < 3; ++i) sum += x;
  return static_cast<float>(sum);
}
long double as_long_double(float x) { return x * 0.1L; }

// An argument, a result, a variable.
float c_square_root(float x) { return static_cast<float>(::sqrt(x)); }
float own_function(float x) { return static_cast<float>(takes_double(x)); }
float third_argument(float x, float y) { return static_cast<float>(takes_mixed(0.1, 3, x + y)); }
double result(float x) { return x; }
real result_by_alias(small x) { return x; }
float variable(float x) {
  const double d = x;
  return static_cast<float>(d * d);
}
float variable_by_alias(small x) {
  real d{x};
  d = x;
  return static_cast<float>(d * d);
}
float variable_from_call(float x) {
  const double d = x * std::sqrt(x);
  return static_cast<float>(d * d);
}
float nested_arguments(float x, float y) {
  return static_cast<float>(takes_mixed(takes_double(x), 2, takes_double(y)));
}
float widened_choice(bool b, float x, double y) { return static_cast<float>(y * (b ? x : std::sqrt(x))); }
float by_reference(float x) {
  const double& d = x;
  return static_cast<float>(d * d);
}

// Written out.
float cast_named(float x) { return static_cast<float>(std::log1p(static_cast<double>(x) * 1.1)); }
float cast_functional(float x) { return static_cast<float>(takes_double(double(x))); }
float cast_of_choice(bool b, float x) { return static_cast<float>(takes_double(static_cast<double>(b ? x : 1.5f))); }
float narrowed_again(float x, double y) { return static_cast<float>(y - static_cast<float>(x * 0.1)); }
double cast_c_style(float x) { return (double)x; }
float cast_by_alias(float x) { return static_cast<float>(takes_double(real(x) * 1.1)); }
float cast_and_literal(float x, float y) { return static_cast<float>(static_cast<double>(x) * takes_double(0.1) * y); }

// In what is called.
float square(float x) { return static_cast<float>(x * x * 1.3); }
float through(float x) { return square(x) + 1.0f; }
float calls_square(float x) { return through(x); }
template <class T>
T scaled(T x) {
  return static_cast<T>(1.7 * x);
}
float calls_template(float x) { return scaled(x) + static_cast<float>(scaled(2.0)); }
float calls_header(float x) { return in_header(x); }
float calls_lambda(float x) {
  const auto scale = [](float y) { return static_cast<float>(y * 1.9); };
  return scale(x);
}
float calls_standard(float x) { return static_cast<float>(std::pow(x, 2)); }
float calls_generic(float x) { return static_cast<float>(std::fmax(x, 0.5)); }
double calls_complex(std::complex<float> z) { return std::complex<double>(z).real(); }
struct widener {
  explicit widener(float x) : value(x) {}
  double value;
};
float calls_constructor(float x) { return static_cast<float>(widener(x).value * 1.1); }
namespace {
float hidden(float x) { return static_cast<float>(x * 2.1); }
}  // namespace
#define TIMES_POINT_THREE(v) ((v) * 0.3)
#define POINT_SIX 0.6
float by_macro(float x) { return static_cast<float>(TIMES_POINT_THREE(x)); }
float by_macro_literal(float x) { return static_cast<float>(x * POINT_SIX); }
/* π, ρ */ float after_greek(float x) { /* σ */ return static_cast<float>(2.3 * x); }

// Clean.
float clean_arithmetic(float x, float mean, float sigma) {
  const float z = (x - mean) / sigma;
  return std::exp(-0.5f * z * z) * 0.3989f / sigma;
}
float clean_functions(float x) { return std::sqrt(std::abs(x)) + std::max(x, 2.0f) + std::pow(x, 2.0f); }
float clean_integers(float x, int n) { return x * static_cast<float>(n) + static_cast<float>(2 * n); }
double clean_integer_to_double(int n) { return n * 0.1; }
double clean_doubles(double x) { return std::sqrt(x) * 0.1; }
bool clean_comparison(float x) { return x > 0.1f && x < 1; }
std::complex<float> clean_complex(std::complex<float> z) { return z * z + std::complex<float>(1.0f, 0.5f); }
double clean_complex_double(double x) { return std::complex<double>(x, 0.5).real(); }
float clean_narrowing(double x) { return static_cast<float>(x); }

float elsewhere(float x);
float calls_elsewhere(float x) { return elsewhere(x) + 1.0f; }
float calls_pointer(float (*f)(float), float x) { return f(x); }

gs::type_report inspect_all() {
  return gs::inspect_types<literal_left, literal_right, exact_literal, double_variable, two_in_one, of_a_sum,
                           over_lines, compound, comparison, compound_literal, exact_comparison, constant, within_call,
                           choice, chosen_literal, loop, as_long_double, c_square_root, own_function, third_argument,
                           result, result_by_alias, variable, variable_by_alias, variable_from_call, nested_arguments,
                           widened_choice, by_reference, cast_of_choice, narrowed_again, cast_named, cast_functional,
                           cast_c_style, cast_by_alias, cast_and_literal, calls_square, calls_template, scaled<float>,
                           calls_header, calls_lambda, calls_standard, calls_generic, calls_complex, calls_constructor,
                           hidden, by_macro, by_macro_literal, after_greek>();
}

gs::type_report inspect_clean() {
  return gs::inspect_types<clean_arithmetic, clean_functions, clean_integers, clean_integer_to_double, clean_doubles,
                           clean_comparison, clean_complex, clean_complex_double, clean_narrowing>();
}

gs::type_report inspect_elsewhere() { return gs::inspect_types<elsewhere>(); }

gs::type_report inspect_calls_elsewhere() { return gs::inspect_types<calls_elsewhere, calls_pointer>(); }

std::string source_file() { return std::source_location::current().file_name(); }

}  // namespace cases
