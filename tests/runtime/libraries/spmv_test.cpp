// spmv against a plain float64 loop over the dense matrix.

#include "runtime/libraries/spmv.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <utility>
#include <vector>

#include "runtime/core/ledger.h"
#include "runtime/device/device.h"
#include "tests/runtime/libraries/numbers.h"
#include "tests/runtime/refused.h"

namespace spmv_test {

using runtime_test::numbers;
using runtime_test::refused;

// A matrix on the host, beside the same with all of its zeros.
template <class T>
struct matrix {
  std::size_t rows, columns;
  std::vector<int> starts{0}, column_of;
  std::vector<T> values;
  std::vector<double> dense;

  matrix(std::size_t height, std::size_t width) : rows(height), columns(width), dense(height * width) {}
  void add(std::size_t column, T value) {
    const std::size_t row = starts.size() - 1;
    column_of.push_back(static_cast<int>(column));
    values.push_back(value);
    dense[row * columns + column] += static_cast<double>(value);
  }
  void end_row() { starts.push_back(static_cast<int>(values.size())); }
  gs::csr_matrix<T> on_device() const { return {{rows, columns}, starts, column_of, values}; }
};

// About one element in four, and rows without any.
template <class T>
matrix<T> random_matrix(std::size_t rows, std::size_t columns, unsigned seed) {
  matrix<T> m(rows, columns);
  std::mt19937 bits(seed);
  for (std::size_t row = 0; row < rows; ++row) {
    if (row % 5 != 3)
      for (std::size_t column = 0; column < columns; ++column)
        if (bits() % 4 == 0) m.add(column, static_cast<T>(static_cast<double>(bits()) * 0x1p-31 - 1));
    m.end_row();
  }
  return m;
}

template <class T>
void expect_product(const matrix<T>& m, T alpha = 1, T beta = 0) {
  const auto x = numbers<T>(m.columns, 1), before = numbers<T>(m.rows, 2);
  auto y = gs::to_device(before);
  gs::spmv(m.on_device(), gs::to_device(x), gs::out(y), {.alpha = alpha, .beta = beta, .stream = {}});
  const auto after = y.copy_to_host();
  std::size_t wrong = 0;
  for (std::size_t row = 0; row < m.rows; ++row) {
    double sum = 0, size = 1;
    for (std::size_t column = 0; column < m.columns; ++column) {
      const double term = m.dense[row * m.columns + column] * static_cast<double>(x[column]);
      sum += term;
      size += std::abs(term);
    }
    const double old = beta == 0 ? 0 : static_cast<double>(beta) * static_cast<double>(before[row]);
    const double expected = static_cast<double>(alpha) * sum + old;
    // One rounding for each addition and product, of terms that make up `size`.
    const double allowed = static_cast<double>(m.columns + 3) *
                           (std::abs(static_cast<double>(alpha)) * size + std::abs(old)) *
                           std::numeric_limits<T>::epsilon();
    wrong += !(std::abs(static_cast<double>(after[row]) - expected) <= allowed);
  }
  EXPECT_EQ(wrong, 0u) << m.rows << " x " << m.columns << ", alpha " << alpha << ", beta " << beta;
}

template <class T>
class spmv : public testing::Test {};
using precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(spmv, precisions);

TYPED_TEST(spmv, agrees_with_a_plain_loop_at_every_shape) {
  const std::vector<std::pair<std::size_t, std::size_t>> shapes{
      {1, 1}, {1, 1009}, {1009, 1}, {31, 33}, {32, 32}, {33, 31}, {257, 1009}, {0, 5}, {5, 0}, {0, 0}, {3001, 97}};
  for (const auto& [rows, columns] : shapes) expect_product(random_matrix<TypeParam>(rows, columns, 1));
}

// scipy_spmv.py says how the values were computed.
TYPED_TEST(spmv, agrees_with_scipy) {
  std::ifstream file(SCIPY_SPMV_FILE);
  const auto cases = nlohmann::json::parse(file).at("cases");
  ASSERT_EQ(cases.size(), 4u);
  for (const auto& c : cases) {
    const std::size_t rows = c.at("rows"), columns = c.at("columns");
    const auto numbers_of = [&](const char* name) { return c.at(name).template get<std::vector<TypeParam>>(); };
    const gs::csr_matrix<TypeParam> m({rows, columns}, c.at("starts").template get<std::vector<int>>(),
                                      c.at("column_of").template get<std::vector<int>>(), numbers_of("values"));
    const auto x = gs::to_device(numbers_of("x"));
    auto y = gs::to_device(numbers_of("y"));
    const auto expect_near = [&](const std::vector<TypeParam>& result, const char* name) {
      const auto expected = c.at(name).template get<std::vector<double>>();
      ASSERT_EQ(result.size(), expected.size());
      // Sums of at most 401 products below 4.
      constexpr double allowed = 401 * 4 * static_cast<double>(std::numeric_limits<TypeParam>::epsilon());
      for (std::size_t row = 0; row < expected.size(); ++row)
        EXPECT_NEAR(static_cast<double>(result[row]), expected[row], allowed)
            << name << ", row " << row << " of " << rows;
    };
    expect_near(gs::spmv(m, x).copy_to_host(), "product");
    gs::spmv(m, x, gs::out(y), {.alpha = TypeParam(1.5), .beta = TypeParam(-0.25), .stream = {}});
    expect_near(y.copy_to_host(), "1.5 product - 0.25 y");
  }
}

TYPED_TEST(spmv, scales_the_product_and_the_output) {
  const auto m = random_matrix<TypeParam>(101, 57, 2);
  for (const TypeParam alpha : {TypeParam(1), TypeParam(0), TypeParam(-2.5)})
    for (const TypeParam beta : {TypeParam(0), TypeParam(1), TypeParam(0.5)}) expect_product(m, alpha, beta);
}

// Rows of very different lengths, the longest of more than a piece's work, at the beginning, in the middle, at the end.
TYPED_TEST(spmv, takes_rows_of_any_length) {
  for (const std::size_t longest : {std::size_t{0}, std::size_t{2}, std::size_t{4}}) {
    matrix<TypeParam> m(5, 40'000);
    for (std::size_t row = 0; row < 5; ++row) {
      for (std::size_t k = 0; k < (row == longest ? m.columns : row); ++k) m.add(k, static_cast<TypeParam>(k % 7) - 3);
      m.end_row();
    }
    expect_product(m);
  }
}

TYPED_TEST(spmv, adds_a_column_that_comes_twice_and_takes_columns_in_any_order) {
  matrix<TypeParam> m(2, 4);
  m.add(3, 2), m.add(0, 5), m.add(3, 0.5), m.end_row(), m.add(1, -1), m.end_row();
  const std::vector<TypeParam> x{1, 10, 100, 1000};
  EXPECT_EQ(gs::spmv(m.on_device(), gs::to_device(x)).copy_to_host(), (std::vector<TypeParam>{2505, -10}));
}

TYPED_TEST(spmv, does_not_read_an_output_that_is_scaled_by_zero) {
  auto y = gs::to_device(std::vector<TypeParam>(101, std::numeric_limits<TypeParam>::quiet_NaN()));
  gs::spmv(random_matrix<TypeParam>(101, 57, 3).on_device(), gs::to_device(std::vector<TypeParam>(57, 0)), gs::out(y));
  EXPECT_EQ(y.copy_to_host(), std::vector<TypeParam>(101, 0));
}

TYPED_TEST(spmv, of_no_elements_is_zero) {
  matrix<TypeParam> m(3, 4);
  for (int row = 0; row < 3; ++row) m.end_row();
  EXPECT_EQ(gs::spmv(m.on_device(), gs::to_device(std::vector<TypeParam>(4, 1))).copy_to_host(),
            std::vector<TypeParam>(3, 0));
}

TEST(csr_matrix, shows_its_parts) {
  const gs::csr_matrix<float> m({2, 3}, std::vector{0, 2, 3}, std::vector{0, 2, 1}, std::vector{1.0f, 2.0f, 3.0f});
  EXPECT_EQ(gs::to_string(m.shape()), "(2, 3)");
  EXPECT_EQ(m.stored(), 3u);
  EXPECT_EQ(m.starts().copy_to_host(), (std::vector{0, 2, 3}));
  EXPECT_EQ(m.columns().copy_to_host(), (std::vector{0, 2, 1}));
  EXPECT_EQ(m.values().copy_to_host(), (std::vector{1.0f, 2.0f, 3.0f}));
}

TEST(spmv_streams, run_in_their_order) {
  const auto m = random_matrix<double>(300, 300, 4);
  const auto a = m.on_device();
  const auto x = gs::to_device(numbers<double>(300, 5));
  gs::device_array<double> y(300), z(300);
  gs::synchronize();
  gs::stream s;
  gs::spmv(a, x, gs::out(y), {.stream = s});
  gs::spmv(a, y, gs::out(z), {.stream = s});
  s.synchronize();
  EXPECT_EQ(z.copy_to_host(), gs::spmv(a, gs::spmv(a, x)).copy_to_host());
}

TEST(spmv_ledger, counts_copies_and_a_launch) {
  gs::select_device(gs::device_kind::engine);
  const gs::ledger_scope making;
  const gs::csr_matrix<float> a({2, 3}, std::vector{0, 2, 3}, std::vector{0, 2, 1}, std::vector{1.0f, 2.0f, 3.0f});
  EXPECT_EQ(making.account(),
            (gs::ledger{.copies_to_device = 3, .bytes_to_device = 36, .allocations = 3, .allocated_bytes = 36}));
  const auto x = gs::to_device(std::vector<float>(3));
  const gs::ledger_scope multiplying;
  const auto y = gs::spmv(a, x);
  EXPECT_EQ(multiplying.account(), (gs::ledger{.launches = 1, .allocations = 1, .allocated_bytes = 8}));
}

TEST(csr_errors, say_what_is_wrong) {
  const auto made = [](const gs::shape& extents, std::vector<int> starts, std::vector<int> columns) {
    return [=] { gs::csr_matrix<float>(extents, starts, columns, std::vector<float>{1, 2, 3}); };
  };
  EXPECT_TRUE(refused(made({6}, {0, 2, 3}, {0, 2, 1}),
                      {"a sparse matrix of shape (6,)", "its rank is 1", "give {rows, columns}"}));
  EXPECT_TRUE(refused(made({1L << 31, 3L}, {0, 2, 3}, {0, 2, 1}), {"an extent of 2147483648", "at most 2147483647"}));
  EXPECT_TRUE(refused(made({3, 3}, {0, 2, 3}, {0, 2, 1}),
                      {"a sparse matrix of shape (3, 3)", "3 starts of rows", "give 4: one for each row"}));
  EXPECT_TRUE(refused(made({2, 3}, {0, 2, 3}, {0, 2}), {"2 columns and 3 values", "one column for each value"}));
  EXPECT_TRUE(refused(made({2, 3}, {1, 2, 3}, {0, 2, 1}), {"row 0 starts at 1", "start at 0"}));
  EXPECT_TRUE(refused(made({3, 3}, {0, 2, 1, 3}, {0, 2, 1}), {"row 1 starts at 2 and ends at 1", "before it starts"}));
  EXPECT_TRUE(
      refused(made({2, 3}, {0, 2, 2}, {0, 2, 1}), {"the last row ends at 2, with 3 values", "the number of values"}));
  for (const int column : {-1, 3})
    EXPECT_TRUE(refused(made({2, 3}, {0, 2, 3}, {0, column, 1}),
                        {"value 1 is in column " + std::to_string(column), "columns from 0 to 2"}));
}

TEST(spmv_errors, say_what_is_wrong) {
  const gs::csr_matrix<float> a({2, 3}, std::vector{0, 2, 3}, std::vector{0, 2, 1}, std::vector{1.0f, 2.0f, 3.0f});
  gs::device_array<float> two(2), three(3), matrix({3, 1}), five(5);
  EXPECT_TRUE(refused([&] { (void)gs::spmv(a, two); }, {"spmv of a matrix of shape (2, 3) and an array of shape (2,)",
                                                        "the matrix has 3 columns", "one element for each column"}));
  EXPECT_TRUE(refused([&] { (void)gs::spmv(a, matrix); }, {"an array of shape (3, 1)", "give an array of rank 1"}));
  EXPECT_TRUE(refused([&] { gs::spmv(a, three, gs::out(five)); },
                      {"the output's shape is (5,)", "give an output of shape (2,)"}));
  EXPECT_TRUE(refused([&] { gs::spmv(a, five.slice(0, 3), gs::out(five.slice(2, 4))); },
                      {"the output shares memory with the array", "an output of its own"}));
  EXPECT_TRUE(refused([&] { (void)gs::spmv(a, three, {.beta = 1, .stream = {}}); },
                      {"spmv with .beta = 1", "no output was given", "gs::out(y)"}));
}

}  // namespace spmv_test
