// Which containers of the host go to the device and come back: the standard library's and xtensor's.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <complex>
#include <cstdint>
#include <numeric>
#include <random>
#include <span>
#include <vector>
#include <xtensor/xstrided_view.hpp>
#include <xtensor/xview.hpp>

#include "runtime/array/device_array.h"
#include "runtime/array/xtensor.h"
#include "runtime/core/ledger.h"
#include "tests/runtime/refused.h"

namespace {

using runtime_test::refused;

const std::vector<float> six{0, 1, 2, 3, 4, 5};

TEST(host_array, contiguous_ranges_are_one_dimensional) {
  const std::array<float, 6> array{0, 1, 2, 3, 4, 5};
  const float c_array[] = {0, 1, 2, 3, 4, 5};
  std::vector<float> changeable = six;
  EXPECT_EQ(gs::to_device(six).copy_to_host(), six);
  EXPECT_EQ(gs::to_device(array).copy_to_host(), six);
  EXPECT_EQ(gs::to_device(c_array).copy_to_host(), six);
  EXPECT_EQ(gs::to_device(std::span(six)).copy_to_host(), six);
  EXPECT_EQ(gs::to_device(std::span(changeable)).copy_to_host(), six);
  EXPECT_EQ(gs::to_device(std::span<const float, 6>(six)).copy_to_host(), six);
  EXPECT_EQ(gs::to_device(c_array).shape(), gs::shape(6));
}

TEST(host_array, xtensor_containers_keep_their_shape) {
  const xt::xarray<float> of_any_rank{{0, 1, 2}, {3, 4, 5}};
  const xt::xtensor<float, 2> ranked{{0, 1, 2}, {3, 4, 5}};
  const xt::xtensor_fixed<float, xt::xshape<2, 3>> fixed{{0, 1, 2}, {3, 4, 5}};
  std::vector<float> owner = six;
  const auto adapted = xt::adapt(owner, std::vector<std::size_t>{2, 3});
  const auto check = [](const auto& host) {
    const auto on_device = gs::to_device(host);
    EXPECT_EQ(on_device.shape(), gs::shape({2, 3}));
    EXPECT_EQ(on_device.copy_to_host(), six);
    EXPECT_EQ(gs::device_array_like(host).shape(), gs::shape({2, 3}));
  };
  check(of_any_rank);
  check(ranked);
  check(fixed);
  check(adapted);
}

TEST(host_array, every_rank_of_xtensor) {
  EXPECT_EQ(gs::to_device(xt::xtensor<float, 0>(2.5f)).shape(), gs::shape());
  EXPECT_EQ(gs::to_device(xt::xarray<float>(2.5f)).copy_to_host(), std::vector<float>{2.5f});
  EXPECT_EQ(gs::to_device(xt::xtensor<double, 1>{1, 2, 3}).shape(), gs::shape(3));
  for (std::size_t rank = 0; rank <= 6; ++rank) {
    const xt::xarray<int> host = xt::ones<int>(std::vector<std::size_t>(rank, 2));
    const auto on_device = gs::to_device(host);
    EXPECT_EQ(on_device.rank(), rank);
    EXPECT_EQ(on_device.copy_to_host<xt::xarray<int>>(), host);
  }
  EXPECT_EQ(gs::to_device(xt::xtensor<float, 2>::from_shape({0, 3})).shape(), gs::shape({0, 3}));
}

TEST(host_array, copies_come_back_in_the_container_asked_for) {
  const auto on_device = gs::to_device(six).reshape({2, 3});
  const xt::xtensor<float, 2> expected{{0, 1, 2}, {3, 4, 5}};
  EXPECT_EQ((on_device.copy_to_host<xt::xtensor<float, 2>>()), expected);
  EXPECT_EQ(on_device.copy_to_host<xt::xarray<float>>(), expected);
  EXPECT_TRUE(refused([&] { on_device.copy_to_host<xt::xtensor<float, 1>>(); }, {"xt::xtensor of rank 1", "(2, 3)"}));
  EXPECT_TRUE(refused([&] { on_device.copy_to_host<xt::xtensor<float, 3>>(); }, {"xt::xtensor of rank 3", "(2, 3)"}));
}

TEST(host_array, copies_go_into_containers_that_are_there) {
  const auto on_device = gs::to_device(six).reshape({2, 3});
  std::array<float, 6> array{};
  float c_array[6] = {};
  std::vector<float> vector(6);
  xt::xtensor<float, 2> ranked({2, 3});
  xt::xarray<float> of_any_rank = xt::zeros<float>({2, 3}), turned = xt::zeros<float>({3, 2});
  on_device.copy_to_host(array);
  on_device.copy_to_host(c_array);
  on_device.copy_to_host(std::span(vector));
  on_device.copy_to_host(ranked);
  on_device.copy_to_host(of_any_rank);
  EXPECT_EQ(std::vector<float>(array.begin(), array.end()), six);
  EXPECT_EQ(std::vector<float>(c_array, c_array + 6), six);
  EXPECT_EQ(vector, six);
  EXPECT_EQ(ranked, (xt::xtensor<float, 2>{{0, 1, 2}, {3, 4, 5}}));
  EXPECT_EQ(of_any_rank, ranked);
  EXPECT_TRUE(refused([&] { on_device.copy_to_host(turned); }, {"(2, 3)", "(3, 2)"}));
}

TEST(host_array, rows_of_an_array_are_contiguous) {
  xt::xarray<float> square{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}};
  EXPECT_EQ(gs::to_device(xt::view(square, 1)).copy_to_host(), (std::vector<float>{3, 4, 5}));
  EXPECT_EQ(gs::to_device(xt::view(square, xt::range(1, 3))).shape(), gs::shape({2, 3}));
  auto last = xt::view(square, 2);
  gs::to_device(std::vector<float>{-1, -2, -3}).copy_to_host(last);
  EXPECT_EQ(square(2, 2), -3);
  EXPECT_EQ(square(1, 2), 5);
}

TEST(host_array, other_layouts_are_read_row_by_row) {
  const xt::xarray<float, xt::layout_type::column_major> columns{{0, 1, 2}, {3, 4, 5}};
  const xt::xtensor<float, 2, xt::layout_type::column_major> ranked{{0, 1, 2}, {3, 4, 5}};
  const xt::xarray<float> rows{{0, 1, 2}, {3, 4, 5}};
  EXPECT_EQ(gs::to_device(columns).copy_to_host(), six);
  EXPECT_EQ(gs::to_device(columns).shape(), gs::shape({2, 3}));
  EXPECT_EQ(gs::to_device(ranked).copy_to_host(), six);
  EXPECT_EQ(gs::to_device(xt::view(rows, xt::all(), 1)).copy_to_host(), (std::vector<float>{1, 4}));
  EXPECT_EQ(gs::to_device(xt::view(rows, xt::all(), xt::range(0, 2))).copy_to_host(), (std::vector<float>{0, 1, 3, 4}));
  const auto windows =
      xt::strided_view(rows, std::vector<std::size_t>{3, 2, 2}, std::vector<std::ptrdiff_t>{1, 1, 2}, 0,
                       xt::layout_type::dynamic);  // they overlap
  EXPECT_EQ(gs::to_device(windows).copy_to_host(), (std::vector<float>{0, 2, 1, 3, 1, 3, 2, 4, 2, 4, 3, 5}));
  EXPECT_EQ(gs::device_array_like(columns).shape(), gs::shape({2, 3}));
  gs::device_array<float> on_device({2, 3});
  on_device.copy_from_host(columns);
  EXPECT_EQ(on_device.copy_to_host(), six);
}

// Arrays of random shapes and steps, some negative, some 0, some transposed, against the address of each element.
template <class T, class Make>
void pack_randomly(unsigned seed, const Make& make) {
  std::mt19937 random(seed);
  const auto draw = [&](std::ptrdiff_t a, std::ptrdiff_t b) {
    return std::uniform_int_distribution<std::ptrdiff_t>(a, b)(random);
  };
  const std::vector<std::size_t> usual{0, 1, 2, 3, 5, 31, 32, 33, 67, 131};
  for (int turn = 0; turn < 100; ++turn) {
    const auto rank = static_cast<std::size_t>(draw(1, 4));
    std::vector<std::size_t> extents(rank), order(rank);
    for (auto& extent : extents)
      extent = usual[static_cast<std::size_t>(draw(turn % 10 == 0 ? 0 : 1, rank < 3 ? 9 : 6))];
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (turn % 3 > 0) std::shuffle(order.begin(), order.end(), random);
    std::vector<std::ptrdiff_t> strides(rank);
    std::ptrdiff_t step = draw(1, 3), lowest = 0, highest = 0;
    for (std::size_t d : order) {  // the fastest dimension first
      const auto extent = static_cast<std::ptrdiff_t>(extents[d]);
      strides[d] = draw(0, 7) == 0 ? 0 : draw(0, 2) == 0 ? -step : step;
      const std::ptrdiff_t far = std::max<std::ptrdiff_t>(extent - 1, 0) * strides[d];
      (far < 0 ? lowest : highest) += far;
      if (strides[d] != 0) step = step * std::max<std::ptrdiff_t>(extent, 1) + draw(0, 1) * draw(0, 5);
    }
    const auto first = static_cast<std::size_t>(-lowest);
    std::vector<T> elements(first + static_cast<std::size_t>(highest) + 1);
    for (std::size_t k = 0; k < elements.size(); ++k) elements[k] = make(k);
    std::size_t size = 1;
    for (std::size_t extent : extents) size *= extent;
    std::vector<T> expected(size);
    for (std::size_t i = 0; i < size; ++i) {
      std::size_t remainder = i;
      auto at = static_cast<std::ptrdiff_t>(first);
      for (std::size_t d = rank; d-- > 0; remainder /= extents[d])
        at += static_cast<std::ptrdiff_t>(remainder % extents[d]) * strides[d];
      expected[i] = elements[static_cast<std::size_t>(at)];
    }
    const auto flat = xt::adapt(elements, std::vector{elements.size()});
    const auto packed = gs::to_device(
        xt::strided_view(flat, std::vector(extents), std::vector(strides), first, xt::layout_type::dynamic));
    ASSERT_EQ(packed.shape(), gs::shape(extents)) << turn;
    ASSERT_TRUE(packed.copy_to_host() == expected) << turn << " " << gs::to_string(packed.shape());
  }
}

struct colour {
  std::uint8_t red, green, blue;
  friend bool operator==(const colour&, const colour&) = default;
};

TEST(host_array, other_layouts_of_every_kind_and_every_element) {
  pack_randomly<std::uint8_t>(1, [](std::size_t k) { return static_cast<std::uint8_t>(k * 37); });
  pack_randomly<std::int16_t>(2, [](std::size_t k) { return static_cast<std::int16_t>(k * 37); });
  pack_randomly<float>(3, [](std::size_t k) { return static_cast<float>(k); });
  pack_randomly<double>(4, [](std::size_t k) { return static_cast<double>(k); });
  pack_randomly<std::complex<double>>(5, [](std::size_t k) { return std::complex<double>(static_cast<double>(k), 1); });
  pack_randomly<colour>(6, [](std::size_t k) {
    return colour{static_cast<std::uint8_t>(k), static_cast<std::uint8_t>(k / 7), static_cast<std::uint8_t>(k / 256)};
  });
}

TEST(host_array, large_ones_are_packed_on_all_cores) {
  const std::ptrdiff_t m = 2203, n = 2003;
  std::vector<double> elements(static_cast<std::size_t>(m * (n + 5)));
  std::iota(elements.begin(), elements.end(), 0.0);
  const auto flat = xt::adapt(elements, std::vector{elements.size()});
  struct steps {
    std::ptrdiff_t row, column, first;
  };
  for (const auto& [row, column, first] : {steps{1, m, 0}, {-1, m, m - 1}, {n + 5, 1, 2}, {n, -1, n - 1}}) {
    const auto on_device = gs::to_device(xt::strided_view(flat, std::vector{std::size_t{2203}, std::size_t{2003}},
                                                          std::vector<std::ptrdiff_t>{row, column},
                                                          static_cast<std::size_t>(first), xt::layout_type::dynamic));
    const std::vector<double> packed = on_device.copy_to_host();
    std::size_t wrong = 0;
    for (std::ptrdiff_t i = 0; i < m; ++i)
      for (std::ptrdiff_t j = 0; j < n; ++j)
        wrong += packed[static_cast<std::size_t>(i * n + j)] != static_cast<double>(first + i * row + j * column);
    EXPECT_EQ(wrong, 0u) << row << " " << column;
  }
}

TEST(host_array, more_than_the_memory_holds_is_refused) {
  const xt::xarray<double> element{2.5};
  const auto repeated = xt::strided_view(element, std::vector{std::size_t{1} << 31, std::size_t{1} << 31},
                                         std::vector<std::ptrdiff_t>{0, 0}, 0, xt::layout_type::dynamic);
  EXPECT_TRUE(
      refused<gs::machine_error>([&] { gs::to_device(repeated); },
                                 {"a strided host array of shape (2147483648, 2147483648), 8 bytes an element",
                                  "there is no memory for a row-major copy of it", "use a part of it at a time"}));
}

TEST(host_array, a_strided_one_is_one_copy_to_the_device) {
  xt::xarray<float> rows = xt::zeros<float>({100, 10});
  gs::ledger_scope scope;
  const auto on_device = gs::to_device(xt::view(rows, xt::all(), xt::range(0, 10, 2)));
  EXPECT_EQ(scope.account(),
            (gs::ledger{.copies_to_device = 1, .bytes_to_device = 2000, .allocations = 1, .allocated_bytes = 2000}));
  gs::ledger_scope alike;
  const auto other = gs::device_array_like(xt::transpose(rows));
  EXPECT_EQ(alike.account(), (gs::ledger{.allocations = 1, .allocated_bytes = 4000})) << "nothing is read";
}

TEST(host_array, other_layouts_are_not_written_to) {
  xt::xarray<float, xt::layout_type::column_major> columns = xt::zeros<float>({2, 3});
  xt::xarray<float> rows = xt::zeros<float>({2, 6});
  auto steps = xt::view(rows, xt::all(), xt::range(0, 6, 2));
  const auto on_device = gs::to_device(six).reshape({2, 3});
  EXPECT_TRUE(refused([&] { on_device.copy_to_host(columns); },
                      {"a host array to write to", "not row-major and contiguous (stride 2 in dimension 1, expected 1)",
                       "write to an xt::xarray<T> rows of that shape, then a = rows;"}));
  EXPECT_TRUE(refused([&] { on_device.copy_to_host(steps); }, {"stride 2 in dimension 1, expected 1"}));
  auto part = xt::view(rows, xt::all(), xt::range(0, 3));
  EXPECT_TRUE(refused([&] { on_device.copy_to_host(part); }, {"stride 6 in dimension 0, expected 3"}));
  EXPECT_EQ(rows, xt::zeros<float>({2, 6}));
}

TEST(host_array, a_layout_that_makes_no_difference_is_fine) {
  const xt::xarray<float, xt::layout_type::column_major> line{0, 1, 2, 3, 4, 5};
  const xt::xarray<float, xt::layout_type::column_major> flat{{0, 1, 2, 3, 4, 5}};
  EXPECT_EQ(gs::to_device(line).copy_to_host(), six);
  EXPECT_EQ(gs::to_device(flat).copy_to_host(), six);
  EXPECT_EQ(gs::to_device(flat).shape(), gs::shape({1, 6}));
}

}  // namespace
