// device_array: made, filled, copied, sliced, reshaped, moved; what it refuses; what it costs.

#include "runtime/array/device_array.h"

#include <gtest/gtest.h>

#include <complex>
#include <cstdint>
#include <functional>
#include <numeric>
#include <thread>
#include <vector>

#include "runtime/core/ledger.h"
#include "runtime/device/device.h"
#include "tests/runtime/refused.h"

namespace {

using runtime_test::refused;

std::vector<float> counting(std::size_t n) {
  std::vector<float> v(n);
  std::iota(v.begin(), v.end(), 0.0f);
  return v;
}

struct particle {
  float x, y, z;
  std::int32_t id;
  friend bool operator==(const particle&, const particle&) = default;
};

template <class T>
class every_type : public testing::Test {};
using element_types = testing::Types<std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t,
                                     std::uint32_t, std::uint64_t, float, double, std::complex<float>>;
TYPED_TEST_SUITE(every_type, element_types);

TYPED_TEST(every_type, goes_there_and_comes_back) {
  std::vector<TypeParam> host;
  for (std::uint8_t i = 0; i < 120; ++i) {
    if constexpr (std::is_integral_v<TypeParam>)
      host.push_back(static_cast<TypeParam>(i));
    else
      host.push_back(TypeParam(static_cast<float>(i)));
  }
  const gs::device_array<TypeParam> on_device = gs::to_device(host);
  EXPECT_EQ(on_device.shape(), gs::shape(120));
  EXPECT_EQ(on_device.copy_to_host(), host);
}

TEST(device_array, holds_structs) {
  const std::vector<particle> host{{1, 2, 3, 4}, {5, 6, 7, 8}};
  EXPECT_EQ(gs::to_device(host).copy_to_host(), host);
}

TEST(device_array, is_memory_of_its_own) {
  std::vector<float> host = counting(100);
  const auto on_device = gs::to_device(host);
  EXPECT_NE(static_cast<const void*>(on_device.data()), host.data());
  host.assign(100, -1.0f);
  EXPECT_EQ(on_device.copy_to_host(), counting(100));
  auto back = on_device.copy_to_host();
  back[0] = 99;
  EXPECT_EQ(on_device.copy_to_host(), counting(100));
}

TEST(device_array, copy_is_another_array) {
  auto first = gs::to_device(counting(10));
  const auto second = first.copy();
  first.copy_from_host(std::vector<float>(10, 7.0f));
  EXPECT_EQ(second.copy_to_host(), counting(10));
  EXPECT_EQ(first.copy_to_host(), std::vector<float>(10, 7.0f));
  EXPECT_EQ(first.slice(2, 4).copy().shape(), gs::shape(2));
}

TEST(device_array, scalars_and_empty_arrays) {
  const auto scalar = gs::to_device(2.5f);
  EXPECT_EQ(scalar.rank(), 0u);
  EXPECT_EQ(scalar.size(), 1u);
  EXPECT_EQ(scalar.copy_to_host(), std::vector<float>{2.5f});

  const auto empty = gs::to_device(std::vector<double>{});
  EXPECT_EQ(empty.shape(), gs::shape(0));
  EXPECT_TRUE(empty.copy_to_host().empty());
  EXPECT_EQ(empty.copy().size(), 0u);
  EXPECT_EQ(empty.slice(0, 0).size(), 0u);
  EXPECT_EQ(gs::device_array<int>({3, 0, 2}).copy_to_host().size(), 0u);
}

TEST(device_array, every_rank_up_to_32) {
  for (std::size_t rank : {0, 1, 2, 3, 4, 5, 32}) {
    std::vector<std::size_t> extents(rank, 1);
    if (rank > 0) extents.back() = 3;
    if (rank > 1) extents.front() = 2;
    gs::device_array<float> array{gs::shape(extents)};
    const auto host = counting(array.size());
    array.copy_from_host(host);
    EXPECT_EQ(array.rank(), rank);
    EXPECT_EQ(array.copy_to_host(), host);
  }
}

TEST(device_array, like_another) {
  const gs::device_array<float> on_device({3, 4});
  EXPECT_EQ(gs::device_array_like(on_device).shape(), gs::shape({3, 4}));
  EXPECT_NE(gs::device_array_like(on_device).data(), on_device.data());
  const auto from_host = gs::device_array_like(std::vector<std::int16_t>(5));
  static_assert(std::is_same_v<decltype(from_host), const gs::device_array<std::int16_t>>);
  EXPECT_EQ(from_host.shape(), gs::shape(5));
}

TEST(device_array, slices_share_memory) {
  auto cube = gs::to_device(counting(24)).reshape({4, 3, 2});
  auto rows = cube.slice(1, 3);
  EXPECT_EQ(rows.shape(), gs::shape({2, 3, 2}));
  EXPECT_EQ(rows.data(), cube.data() + 6);
  EXPECT_EQ(cube[3].shape(), gs::shape({3, 2}));
  EXPECT_EQ(cube[3][2].copy_to_host(), (std::vector<float>{22, 23}));
  EXPECT_EQ(cube[3][2][1].rank(), 0u);
  EXPECT_EQ(cube[3][2][1].copy_to_host(), std::vector<float>{23});

  rows.copy_from_host(std::vector<float>(12, -1.0f));
  auto expected = counting(24);
  std::fill(expected.begin() + 6, expected.begin() + 18, -1.0f);
  EXPECT_EQ(cube.copy_to_host(), expected);

  cube = gs::device_array<float>();  // the slice keeps the memory alive
  EXPECT_EQ(rows.copy_to_host(), std::vector<float>(12, -1.0f));
}

TEST(device_array, slices_outside_are_refused) {
  const gs::device_array<float> v(5), m({3, 4});
  EXPECT_TRUE(refused([&] { v.slice(3, 2); }, {"a slice from 3 to 2", "(5,)", "0 <= begin <= end <= 5"}));
  EXPECT_TRUE(refused([&] { v.slice(0, 6); }, {"a slice from 0 to 6", "(5,)"}));
  EXPECT_TRUE(refused([&] { m[3]; }, {"(3, 4)", "<= 3"}));
  EXPECT_TRUE(refused([&] { v[static_cast<std::size_t>(-1)]; }, {"(5,)"}));
  EXPECT_TRUE(refused([&] { v[0][0]; }, {"shape ()"}));
}

TEST(device_array, reshape) {
  const auto v = gs::to_device(counting(12));
  EXPECT_EQ(v.reshape({3, 4}).shape(), gs::shape({3, 4}));
  EXPECT_EQ(v.reshape({2, -1, 3}).shape(), gs::shape({2, 2, 3}));
  EXPECT_EQ(v.reshape({-1}).shape(), gs::shape(12));
  EXPECT_EQ(v.reshape({3, 4}).data(), v.data());
  EXPECT_EQ(gs::to_device(1.0f).reshape({1, 1}).shape(), gs::shape({1, 1}));
  EXPECT_EQ(gs::to_device(std::vector<float>{1}).reshape({}).rank(), 0u);
  EXPECT_EQ(gs::device_array<float>(0).reshape({0, 5}).shape(), gs::shape({0, 5}));
}

TEST(device_array, reshape_to_another_size_is_refused) {
  const gs::device_array<float> v(12);
  EXPECT_TRUE(refused([&] { v.reshape({5, 2}); }, {"a reshape to (5, 2)", "(12,), 12 elements"}));
  EXPECT_TRUE(refused([&] { v.reshape({5, -1}); }, {"a reshape to (5, -1)"}));
  EXPECT_TRUE(refused([&] { v.reshape({-1, -1}); }, {"-1"}));
  EXPECT_TRUE(refused([&] { v.reshape({-3, -4}); }, {"-3"}));
  EXPECT_TRUE(refused([&] { v.reshape({0, -1}); }, {"a reshape to (0, -1)"}));
  // Any extent would do in place of this -1.
  EXPECT_TRUE(refused([&] { gs::device_array<float>(0).reshape({-1, 0}); }, {"a reshape to (-1, 0)"}));
}

TEST(device_array, moved_from_arrays_are_empty_and_refused) {
  auto first = gs::to_device(counting(4));
  const auto second = std::move(first);
  EXPECT_EQ(second.copy_to_host(), counting(4));
  EXPECT_EQ(first.size(), 0u);  // NOLINT: what is left is tested
  for (const auto& use : std::vector<std::function<void()>>{
           [&] { first.copy_to_host(); }, [&] { first.copy(); }, [&] { first.slice(0, 0); },
           [&] { first.reshape({2, 2}); }, [&] { (void)first.view(); }, [&] { gs::device_array_like(first); },
           [&] { first.copy_from_host(counting(4)); }})
    EXPECT_TRUE(refused(use, {"it was moved from", "use the array it was moved to"}));
  first = gs::to_device(counting(2));
  EXPECT_EQ(first.copy_to_host(), counting(2)) << "an array that was moved from can be given another";
}

TEST(device_array, assigning_an_array_to_itself_keeps_it) {
  auto array = gs::to_device(counting(4));
  auto& alias = array;
  array = std::move(alias);
  EXPECT_EQ(array.copy_to_host(), counting(4));
}

TEST(device_array, copies_between_different_shapes_are_refused) {
  gs::device_array<float> m({2, 3});
  std::vector<float> flat(6), wrong(5);
  m.copy_from_host(flat);
  m.copy_to_host(flat);
  EXPECT_TRUE(refused([&] { m.copy_to_host(wrong); }, {"(2, 3)", "(5,)"}));
  EXPECT_TRUE(refused([&] { m.copy_from_host(wrong); }, {"(2, 3)", "(5,)"}));
}

TEST(device_array, views_of_another_rank_are_refused) {
  const gs::device_array<float> m({2, 3});
  EXPECT_EQ(m.view<2>().extent(1), 3u);
  EXPECT_TRUE(refused([&] { (void)m.view<1>(); }, {"a view of rank 1", "(2, 3)"}));
  EXPECT_TRUE(refused([&] { (void)m.view<3>(); }, {"a view of rank 3", "(2, 3)"}));
}

TEST(device_array, sizes_beyond_the_memory_are_refused) {
  const std::size_t memory = gs::device().memory;
  EXPECT_TRUE(refused<gs::machine_error>([&] { gs::device_array<float> a(memory); },
                                         {gs::device().name, " MB of memory", "are in use", "smaller size"}));
  EXPECT_TRUE(refused<gs::machine_error>([] { gs::device_array<double> a(std::size_t{1} << 62); },
                                         {"(4611686018427387904,)", "float64", "more bytes than a 64-bit size"}));
  EXPECT_EQ(gs::to_device(counting(3)).copy_to_host(), counting(3)) << "the device is usable afterwards";
}

TEST(device_array, each_operation_is_counted_exactly) {
  const auto host = counting(1000);
  gs::ledger_scope making;
  auto on_device = gs::to_device(host);
  EXPECT_EQ(making.account(),
            (gs::ledger{.copies_to_device = 1, .bytes_to_device = 4000, .allocations = 1, .allocated_bytes = 4000}));

  gs::ledger_scope free_of_charge;
  const auto part = on_device.slice(10, 20);
  const auto shaped = on_device.reshape({10, -1});
  auto moved = std::move(on_device);
  EXPECT_EQ(free_of_charge.account(), gs::ledger{});

  gs::ledger_scope copying;
  (void)part.copy_to_host();
  moved.copy_from_host(host);
  const auto twin = moved.copy();
  EXPECT_EQ(copying.account(), (gs::ledger{.copies_to_device = 1,
                                           .bytes_to_device = 4000,
                                           .copies_to_host = 1,
                                           .bytes_to_host = 40,
                                           .copies_within_device = 1,
                                           .bytes_within_device = 4000,
                                           .allocations = 1,
                                           .allocated_bytes = 4000}));
  gs::ledger_scope waiting;
  gs::synchronize();
  EXPECT_EQ(waiting.account(), gs::ledger{.synchronizations = 1});
}

TEST(device_array, may_be_used_from_another_thread) {
  auto array = gs::to_device(counting(100));
  std::thread([&] {
    EXPECT_EQ(array.copy_to_host(), counting(100));
    array = gs::device_array<float>();
  }).join();
  EXPECT_EQ(array.size(), 0u);
}

}  // namespace
