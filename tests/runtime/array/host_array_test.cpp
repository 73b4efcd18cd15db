// Which containers of the host go to the device and come back: the standard library's and xtensor's.

#include <gtest/gtest.h>

#include <array>
#include <complex>
#include <span>
#include <vector>
#include <xtensor/xstrided_view.hpp>
#include <xtensor/xview.hpp>

#include "runtime/array/device_array.h"
#include "runtime/array/xtensor.h"
#include "tests/runtime/refused.h"

namespace {

using runtime_test::refused;

const std::vector<float> six{0, 1, 2, 3, 4, 5};

TEST(HostArray, ContiguousRangesAreOneDimensional) {
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

TEST(HostArray, XtensorContainersKeepTheirShape) {
  const xt::xarray<float> any{{0, 1, 2}, {3, 4, 5}};
  const xt::xtensor<float, 2> ranked{{0, 1, 2}, {3, 4, 5}};
  const xt::xtensor_fixed<float, xt::xshape<2, 3>> fixed{{0, 1, 2}, {3, 4, 5}};
  std::vector<float> owner = six;
  const auto adapted = xt::adapt(owner, std::vector<std::size_t>{2, 3});
  const auto check = [](const auto& host) {
    const auto there = gs::to_device(host);
    EXPECT_EQ(there.shape(), gs::shape({2, 3}));
    EXPECT_EQ(there.copy_to_host(), six);
    EXPECT_EQ(gs::device_array_like(host).shape(), gs::shape({2, 3}));
  };
  check(any);
  check(ranked);
  check(fixed);
  check(adapted);
}

TEST(HostArray, EveryRankOfXtensor) {
  EXPECT_EQ(gs::to_device(xt::xtensor<float, 0>(2.5f)).shape(), gs::shape());
  EXPECT_EQ(gs::to_device(xt::xarray<float>(2.5f)).copy_to_host(), std::vector<float>{2.5f});
  EXPECT_EQ(gs::to_device(xt::xtensor<double, 1>{1, 2, 3}).shape(), gs::shape(3));
  for (std::size_t rank = 0; rank <= 6; ++rank) {
    const xt::xarray<int> host = xt::ones<int>(std::vector<std::size_t>(rank, 2));
    const auto there = gs::to_device(host);
    EXPECT_EQ(there.rank(), rank);
    EXPECT_EQ(there.copy_to_host<xt::xarray<int>>(), host);
  }
  EXPECT_EQ(gs::to_device(xt::xtensor<float, 2>::from_shape({0, 3})).shape(), gs::shape({0, 3}));
}

TEST(HostArray, CopiesComeBackInTheContainerAskedFor) {
  const auto there = gs::to_device(six).reshape({2, 3});
  const xt::xtensor<float, 2> expected{{0, 1, 2}, {3, 4, 5}};
  EXPECT_EQ((there.copy_to_host<xt::xtensor<float, 2>>()), expected);
  EXPECT_EQ(there.copy_to_host<xt::xarray<float>>(), expected);
  EXPECT_TRUE(refused([&] { there.copy_to_host<xt::xtensor<float, 1>>(); }, {"xt::xtensor of rank 1", "(2, 3)"}));
  EXPECT_TRUE(refused([&] { there.copy_to_host<xt::xtensor<float, 3>>(); }, {"xt::xtensor of rank 3", "(2, 3)"}));
}

TEST(HostArray, CopiesGoIntoContainersThatAreThere) {
  const auto there = gs::to_device(six).reshape({2, 3});
  std::array<float, 6> array{};
  float c_array[6] = {};
  std::vector<float> vector(6);
  xt::xtensor<float, 2> ranked({2, 3});
  xt::xarray<float> any = xt::zeros<float>({2, 3}), turned = xt::zeros<float>({3, 2});
  there.copy_to_host(array);
  there.copy_to_host(c_array);
  there.copy_to_host(std::span(vector));
  there.copy_to_host(ranked);
  there.copy_to_host(any);
  EXPECT_EQ(std::vector<float>(array.begin(), array.end()), six);
  EXPECT_EQ(std::vector<float>(c_array, c_array + 6), six);
  EXPECT_EQ(vector, six);
  EXPECT_EQ(ranked, (xt::xtensor<float, 2>{{0, 1, 2}, {3, 4, 5}}));
  EXPECT_EQ(any, ranked);
  EXPECT_TRUE(refused([&] { there.copy_to_host(turned); }, {"(2, 3)", "(3, 2)"}));
}

TEST(HostArray, RowsOfAnArrayAreContiguous) {
  xt::xarray<float> all{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}};
  EXPECT_EQ(gs::to_device(xt::view(all, 1)).copy_to_host(), (std::vector<float>{3, 4, 5}));
  EXPECT_EQ(gs::to_device(xt::view(all, xt::range(1, 3))).shape(), gs::shape({2, 3}));
  auto last = xt::view(all, 2);
  gs::to_device(std::vector<float>{-1, -2, -3}).copy_to_host(last);
  EXPECT_EQ(all(2, 2), -3);
  EXPECT_EQ(all(1, 2), 5);
}

TEST(HostArray, OtherLayoutsAreRefused) {
  const xt::xarray<float, xt::layout_type::column_major> columns{{0, 1, 2}, {3, 4, 5}};
  const xt::xtensor<float, 2, xt::layout_type::column_major> ranked{{0, 1, 2}, {3, 4, 5}};
  xt::xarray<float> rows{{0, 1, 2}, {3, 4, 5}};
  const auto text = {"not row-major and contiguous", "stride", "xt::xarray<T> rows = a"};
  EXPECT_TRUE(refused([&] { gs::to_device(columns); }, {"not row-major and contiguous (stride 2 in dimension 1"}));
  EXPECT_TRUE(refused([&] { gs::to_device(ranked); }, {text.begin()[0], text.begin()[1], text.begin()[2]}));
  EXPECT_TRUE(refused([&] { gs::to_device(xt::view(rows, xt::all(), 1)); }, {"not row-major and contiguous"}));
  EXPECT_TRUE(refused([&] { gs::to_device(xt::view(rows, xt::all(), xt::range(0, 2))); }, {"stride 3 in dimension 0"}));
  EXPECT_TRUE(refused([&] { gs::device_array<float>({2, 3}).copy_from_host(columns); }, {"not row-major"}));
}

TEST(HostArray, ALayoutThatMakesNoDifferenceIsFine) {
  const xt::xarray<float, xt::layout_type::column_major> line{0, 1, 2, 3, 4, 5};
  const xt::xarray<float, xt::layout_type::column_major> flat{{0, 1, 2, 3, 4, 5}};
  EXPECT_EQ(gs::to_device(line).copy_to_host(), six);
  EXPECT_EQ(gs::to_device(flat).copy_to_host(), six);
  EXPECT_EQ(gs::to_device(flat).shape(), gs::shape({1, 6}));
}

}  // namespace
