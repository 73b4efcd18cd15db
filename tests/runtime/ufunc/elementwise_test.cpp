// Ufuncs of every element type, size and number of inputs, on every target, against plain loops in double precision.

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstring>
#include <random>
#include <vector>

#include "runtime/gs.h"
#include "tests/runtime/refused.h"
#include "tests/runtime/ufunc/targets.h"

namespace {

using runtime_test::all_targets;
using runtime_test::refused;

template <class T>
GS_FN T multiply_add(T a, T b) {
  return static_cast<T>(a * b + a);
}
GS_FN float gaussian(float x, float mean, float sigma) {
  const float z = (x - mean) / sigma;
  return std::exp(-0.5f * z * z) / (sigma * 2.5066283f);
}
GS_FN float by_reference(const float& x, const float& y) { return x - y; }
GS_FN double widen(float x) { return static_cast<double>(x) + 0.1; }
GS_FN float seven(float a, float b, std::int16_t c, double d, float e, std::uint8_t f, float g) {
  return a + 2 * b + 4 * c + static_cast<float>(d) * 8 + 16 * e + static_cast<float>(32 * f) + 64 * g;
}
GS_FN float add_f32(float a, float b) { return a + b; }
GS_FN std::int64_t add_i64(std::int64_t a, std::int64_t b) { return a + b; }
GS_FN float scale_by_integer(float a, std::int32_t n) { return a * static_cast<float>(n); }
GS_FN std::complex<float> conjugate(std::complex<float> z) { return {z.real(), -z.imag()}; }

constexpr std::size_t sizes[] = {0, 1, 31, 32, 33, 1009, std::size_t{1} << 20};

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

template <class T>
class every_type : public testing::Test {};
using element_types = testing::Types<std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t,
                                     std::uint32_t, std::uint64_t, float, double>;
TYPED_TEST_SUITE(every_type, element_types);

TYPED_TEST(every_type, is_computed_on_every_target) {
  for (std::size_t n : sizes) {
    std::vector<TypeParam> a, b, expected;
    for (std::size_t i = 0; i < n; ++i) {
      a.push_back(static_cast<TypeParam>(i % 11));
      b.push_back(static_cast<TypeParam>(i % 13));
      expected.push_back(static_cast<TypeParam>(static_cast<double>(i % 11) * static_cast<double>(i % 13) +
                                                static_cast<double>(i % 11)));
    }
    const auto a_before = a;
    for (gs::target target : all_targets) {
      ASSERT_EQ(gs::vectorize<multiply_add<TypeParam>>.on(target)(a, b), expected) << n << " " << to_string(target);
      ASSERT_EQ(a, a_before) << "inputs are never changed";
    }
    const auto a_there = gs::to_device(a), b_there = gs::to_device(b);
    ASSERT_EQ(gs::vectorize<multiply_add<TypeParam>>(a_there, b_there).copy_to_host(), expected);
    ASSERT_EQ(a_there.copy_to_host(), a_before);
    ASSERT_EQ(b_there.copy_to_host(), b);
  }
}

TEST(ufunc, complex_numbers) {
  const std::vector<std::complex<float>> z{{1, 2}, {3, -4}, {0, 0}}, expected{{1, -2}, {3, 4}, {0, 0}};
  for (gs::target target : all_targets) EXPECT_EQ(gs::vectorize<conjugate>.on(target)(z), expected);
}

TEST(ufunc, gaussian_agrees_with_double_precision_and_between_targets) {
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  for (std::size_t n : sizes) {
    std::vector<float> x(n);
    for (float& v : x) v = 3 * normal(random);
    const auto first = gs::vectorize<gaussian>.on(gs::target::cpu)(x, 0.5f, 2.0f);
    for (std::size_t i = 0; i < n; ++i) {
      const double z = (double{x[i]} - 0.5) / 2;
      const double reference = std::exp(-0.5 * z * z) / (2 * 2.5066282746310002);
      ASSERT_NEAR(first[i], reference, 2e-6 * reference) << "element " << i << " of " << n;
    }
    for (gs::target target : all_targets) {
      if (!runtime_test::same_code_everywhere() && target == gs::target::device) continue;
      ASSERT_TRUE(same_bits(gs::vectorize<gaussian>.on(target)(x, 0.5f, 2.0f), first)) << n << " " << to_string(target);
    }
  }
}

TEST(ufunc, scalars_alone_give_a_scalar) {
  const float y = gs::vectorize<add_f32>(1.5f, 2.0f);
  EXPECT_EQ(y, 3.5f);
  gs::ledger_scope scope;
  (void)gs::vectorize<add_f32>(1.5f, 2.0f);
  EXPECT_EQ(scope.account(), gs::ledger{}) << "they are computed where they are";
}

TEST(ufunc, scalars_may_stand_anywhere) {
  const std::vector<float> x{1, 2, 3};
  for (gs::target target : all_targets) {
    const auto g = gs::vectorize<multiply_add<float>>.on(target);
    EXPECT_EQ(g(2.0f, x), (std::vector<float>{4, 6, 8}));
    EXPECT_EQ(g(x, 2.0f), (std::vector<float>{3, 6, 9}));
  }
}

TEST(ufunc, parameters_may_be_references) {
  const std::vector<float> x{5, 6}, y{1, 2};
  for (gs::target target : all_targets)
    EXPECT_EQ(gs::vectorize<by_reference>.on(target)(x, y), (std::vector<float>{4, 4}));
}

TEST(ufunc, the_result_may_be_of_another_type) {
  const auto y = gs::vectorize<widen>(std::vector<float>{1, 2});
  static_assert(std::is_same_v<decltype(y), const std::vector<double>>);
  EXPECT_EQ(y, (std::vector<double>{1.1, 2.1}));
}

TEST(ufunc, seven_inputs_of_many_types) {
  const std::size_t n = 1000;
  std::vector<float> a(n), b(n), g(n);
  std::vector<std::int16_t> c(n);
  std::vector<std::uint8_t> f(n);
  std::vector<float> expected(n);
  const std::vector<double> d{0.25};
  for (std::size_t i = 0; i < n; ++i) {
    a[i] = static_cast<float>(i), b[i] = static_cast<float>(i % 3), g[i] = static_cast<float>(i % 5);
    c[i] = static_cast<std::int16_t>(-static_cast<int>(i));
    f[i] = static_cast<std::uint8_t>(i % 200);
    expected[i] =
        static_cast<float>(static_cast<double>(i) + 2.0 * static_cast<double>(i % 3) - 4.0 * static_cast<double>(i) +
                           2 + 24 + 32.0 * static_cast<double>(i % 200) + 64.0 * static_cast<double>(i % 5));
  }
  for (gs::target target : all_targets) {
    EXPECT_EQ(gs::vectorize<seven>.on(target)(a, b, c, d, 1.5f, f, g), expected) << to_string(target);
    std::vector<float> out(n);
    gs::vectorize<seven>.on(target)(a, b, c, 0.25, 1.5f, f, g, gs::out(out));
    EXPECT_EQ(out, expected) << to_string(target);
  }
}

TEST(ufunc, several_signatures_are_matched_exactly) {
  constexpr auto add = gs::vectorize<add_f32, add_i64, scale_by_integer>;
  const std::vector<float> x{1, 2};
  const std::vector<std::int64_t> n{std::int64_t{1} << 60, 5};
  const std::vector<std::int32_t> times{3, 4};
  EXPECT_EQ(add(x, x), (std::vector<float>{2, 4}));
  EXPECT_EQ(add(n, n), (std::vector<std::int64_t>{std::int64_t{1} << 61, 10})) << "no trip through float";
  EXPECT_EQ(add(x, times), (std::vector<float>{3, 8}));
  EXPECT_EQ(add.reduce(n), (std::int64_t{1} << 60) + 5);
  ASSERT_EQ(decltype(add)::signature_count, 3u);
  EXPECT_NE(add.signatures()[1].find("add_i64"), std::string::npos);
  EXPECT_NE(add.signatures()[1].find("(int64, int64) -> int64"), std::string::npos);
}

TEST(ufunc, device_arrays_run_on_the_device_only) {
  const auto x = gs::to_device(std::vector<float>{1, 2});
  for (gs::target target : {gs::target::cpu, gs::target::parallel})
    EXPECT_TRUE(refused([&] { gs::vectorize<add_f32>.on(target)(x, 1.0f); },
                        {"a ufunc on target " + to_string(target), "a device array", "copy_to_host()"}));
  EXPECT_EQ(gs::vectorize<add_f32>.on(gs::target::device)(x, 1.0f).copy_to_host(), (std::vector<float>{2, 3}));
}

TEST(ufunc, runs_on_a_stream) {
  gs::stream s;
  const auto x = gs::to_device(std::vector<float>{1, 2});
  gs::device_array<float> y(2);
  gs::vectorize<add_f32>.on(s)(x, 1.0f, gs::out(y));
  gs::vectorize<add_f32>.on(s)(y, y, gs::out(y));
  s.synchronize();
  EXPECT_EQ(y.copy_to_host(), (std::vector<float>{4, 6}));
  gs::stream other = std::move(s);
  EXPECT_TRUE(refused([&] { gs::vectorize<add_f32>.on(s)(x, 1.0f); }, {"it was moved from"}));
}

TEST(ufunc, moved_from_arrays_are_refused) {
  auto x = gs::to_device(std::vector<float>{1, 2});
  const auto y = std::move(x);
  gs::device_array<float> never;
  EXPECT_TRUE(refused([&] { gs::vectorize<add_f32>(x, 1.0f); }, {"it was moved from"}));
  EXPECT_TRUE(refused([&] { gs::vectorize<add_f32>(y, 1.0f, gs::out(x)); }, {"it was moved from"}));
  EXPECT_TRUE(refused([&] { gs::vectorize<add_f32>.reduce(x); }, {"it was moved from"}));
  EXPECT_TRUE(refused([&] { gs::vectorize<add_f32>(never, 1.0f); }, {"never given a shape"}));
}

// Each operation costs exactly what it must.
TEST(ufunc_account, of_every_kind_of_call) {
  const std::vector<float> x(1000, 1.0f);
  const auto x_device = gs::to_device(x);
  gs::device_array<float> out(1000);
  std::vector<float> host_out(1000);
  constexpr auto add = gs::vectorize<add_f32>;

  gs::ledger_scope on_host;
  add.on(gs::target::cpu)(x, x, gs::out(host_out));
  (void)add.on(gs::target::parallel)(x, 1.0f);
  EXPECT_EQ(on_host.account(), gs::ledger{});

  gs::ledger_scope in_place;
  add(x_device, 1.0f, gs::out(out));
  EXPECT_EQ(in_place.account(), gs::ledger{.launches = 1});

  gs::ledger_scope on_device;
  const auto made = add(x_device, x_device);
  EXPECT_EQ(on_device.account(), (gs::ledger{.launches = 1, .allocations = 1, .allocated_bytes = 4000}));

  gs::ledger_scope there_and_back;
  (void)add.on(gs::target::device)(x, 1.0f);
  EXPECT_EQ(there_and_back.account(), (gs::ledger{.copies_to_device = 1,
                                                  .bytes_to_device = 4000,
                                                  .copies_to_host = 1,
                                                  .bytes_to_host = 4000,
                                                  .launches = 1,
                                                  .allocations = 2,
                                                  .allocated_bytes = 8000}));
  gs::ledger_scope mixed;
  const auto stays = add(x_device, x);
  EXPECT_EQ(
      mixed.account(),
      (gs::ledger{
          .copies_to_device = 1, .bytes_to_device = 4000, .launches = 1, .allocations = 2, .allocated_bytes = 8000}));
  gs::ledger_scope to_host;
  add(x_device, 1.0f, gs::out(host_out));
  EXPECT_EQ(to_host.account().copies_to_host, 1u);
  EXPECT_EQ(to_host.account().copies_to_device, 0u);
  EXPECT_EQ(host_out, std::vector<float>(1000, 2.0f));
}

}  // namespace
