// What exercise 11 is checked for.

#include "workbook/exercise.h"
#include GRIDSTRIDE_EXERCISE

#include <cmath>
#include <exception>
#include <string>
#include <utility>

namespace {

using points = xt::xtensor<float, 2>;

template <class A>
A random_numbers(const typename A::shape_type& shape, std::uint64_t seed, float from = -1, float to = 1) {
  A a = A::from_shape(shape);
  gs::fill_uniform(a, seed);
  for (float& one : a) one = from + (to - from) * one;
  return a;
}

// Runs the call under the instruments, on the device. Findings go into the report, and so does a wrong shape.
template <class A, class Call>
bool compute(const std::string& name, A& result, const typename A::shape_type& shape, const Call& call,
             workbook::report& report) {
  gs::inspection seen = gs::inspect([&] { result = call(); });
  const std::exception_ptr failure = std::exchange(seen.failure, nullptr);
  report.inspection(std::move(seen));
  std::string stopped = "nothing";
  try {
    if (failure) std::rethrow_exception(failure);
  } catch (const std::exception& e) {
    stopped = e.what();
  }
  return report.check_equal(name + ", what stopped it", stopped, "nothing") &&
         report.check_equal(name + ", shape", gs::to_string(gs::shape(result.shape())),
                            gs::to_string(gs::shape(shape)));
}

// `roundings` of a float32 at a number of this size. Relative, so that cancellation is detected.
bool near(float got, double expected, double size, std::size_t roundings) {
  return std::abs(static_cast<double>(got) - expected) <= std::ldexp(static_cast<double>(roundings), -24) * size;
}
bool is_distance(float got, double expected, std::size_t dimensions) {
  return near(got, expected, expected, 2 * dimensions + 4);
}

double distance_in_float64(const points& a, std::size_t i, const points& b, std::size_t k) {
  double sum = 0;
  for (std::size_t d = 0; d < a.shape(1); ++d) {
    const double difference = static_cast<double>(a(i, d)) - static_cast<double>(b(k, d));
    sum += difference * difference;
  }
  return std::sqrt(sum);
}

void distances(std::size_t n, std::size_t dimensions, workbook::report& report, float from = -1, float to = 1) {
  std::string name =
      "distance of " + std::to_string(n) + " pairs of points, " + std::to_string(dimensions) + " numbers each";
  if (from > 0)
    name += " from " + workbook::to_text(workbook::cell(from)) + " to " + workbook::to_text(workbook::cell(to));
  const auto a = random_numbers<points>({n, dimensions}, 10 * n + 1, from, to),
             b = random_numbers<points>({n, dimensions}, n + 2, from, to);
  xt::xtensor<float, 1> got;
  const auto call = [&] { return distance.on(gs::target::device)(a, b); };
  if (!compute(name, got, {n}, call, report)) return;
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < n; ++i) wrong += !is_distance(got(i), distance_in_float64(a, i, b, i), dimensions);
  report.check_equal(name + ", wrong ones", wrong, 0);
}

bool is_element(float got, const xt::xtensor<float, 3>& a, std::size_t k, std::size_t m, const points& x,
                std::size_t vector) {
  double sum = 0, size = 0;
  for (std::size_t n = 0; n < a.shape(2); ++n) {
    const double product = static_cast<double>(a(k, m, n)) * static_cast<double>(x(vector, n));
    sum += product;
    size += std::abs(product);
  }
  return near(got, sum, size, a.shape(2) + 2);
}

// k matrices and as many vectors; with one of either, it is used with all of the other.
void products(std::size_t matrices, std::size_t vectors, std::size_t m, std::size_t n, workbook::report& report) {
  const std::string name = "apply: (" + std::to_string(matrices) + ", " + std::to_string(m) + ", " + std::to_string(n) +
                           ") and (" + std::to_string(vectors) + ", " + std::to_string(n) + ")";
  const std::size_t results = matrices == 1 ? vectors : matrices;
  const auto a = random_numbers<xt::xtensor<float, 3>>({matrices, m, n}, m + n);
  const auto x = random_numbers<points>({vectors, n}, m + n + 1);
  points got;
  const auto call = [&] { return apply.on(gs::target::device)(a, x); };
  if (!compute(name, got, {results, m}, call, report)) return;
  std::size_t wrong = 0;
  for (std::size_t k = 0; k < results; ++k)
    for (std::size_t i = 0; i < m; ++i)
      wrong += !is_element(got(k, i), a, matrices == 1 ? 0 : k, i, x, vectors == 1 ? 0 : k);
  report.check_equal(name + ", wrong elements", wrong, 0);
}

void tables(std::size_t n, std::size_t dimensions, workbook::report& report) {
  const std::string name = "all distances of " + std::to_string(n) + " points";
  const auto p = random_numbers<points>({n, dimensions}, n + 3);
  points got;
  const gs::ledger_scope scope;
  if (!compute(name, got, {n, n}, [&] { return all_distances(p); }, report)) return;
  const gs::ledger account = scope.account();
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < n; ++k) wrong += !is_distance(got(i, k), distance_in_float64(p, i, p, k), dimensions);
  report.check_equal(name + ", wrong ones", wrong, 0);
  if (n > 0) report.check_equal(name + ", launches", account.launches, 1);
  report.check(name + ", all of which come from the device", account.bytes_to_host >= n * n * sizeof(float));
}

}  // namespace

workbook::exercise workbook::this_exercise() {
  return {.number = 11,
          .name = "gufunc",
          .task = "a function of two rows, one of a matrix and a row with its layout, and all pairs by broadcasting",
          .check = [](workbook::report& report) {
            distances(3, 2, report);
            distances(33, 3, report);
            distances(0, 2, report);
            distances(257, 31, report);
            distances(31, 1, report);
            distances(4, 0, report);                     // nothing to add: a distance of 0
            distances(101, 3, report, 1'000, 1'000.5f);  // near to each other and far from 0
            products(1, 1, 2, 3, report);
            products(1, 31, 3, 2, report);
            products(33, 1, 2, 5, report);
            products(4, 4, 4, 4, report);  // where every mistaken axis has the right extent
            products(5, 5, 32, 1, report);
            products(2, 1, 3, 0, report);  // nothing to add: zeros
            products(1, 3, 0, 4, report);
            for (const std::size_t n : {4, 1, 33, 0}) tables(n, 3, report);
          }};
}
