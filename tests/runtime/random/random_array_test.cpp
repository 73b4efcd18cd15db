// Arrays of random numbers against a plain loop over their definition, and draws inside kernels.

#include "runtime/random/random_array.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>
#include <xtensor/xbuilder.hpp>

#include "runtime/array/xtensor.h"
#include "runtime/gs.h"
#include "tests/runtime/refused.h"

namespace {

using runtime_test::refused;

constexpr std::size_t sizes[] = {0, 1, 31, 32, 33, 255, 256, 257, 1009, 16383, 16384, 16385, 100'003};

// Element by element as the header says: element e is draw e / 32 % 512 of state e / 16384 * 32 + e % 32.
template <class T, class Draw>
std::vector<T> defined(std::size_t n, std::uint64_t seed, Draw draw) {
  std::vector<T> x(n);
  for (std::size_t i = 0; i < (n + 16383) / 16384 * 32; ++i) {
    gs::random_state state = gs::random_state_at(seed, i, gs::strict);
    for (std::size_t k = 0; k < 512; ++k) {
      const T value = draw(state);
      const std::size_t e = i / 32 * 16384 + k * 32 + i % 32;
      if (e < n) x[e] = value;
    }
  }
  return x;
}

TEST(uniform, is_defined_by_the_seed_and_the_place) {
  for (const std::size_t n : sizes) {
    const auto single = defined<float>(n, 3, [](auto& s) { return gs::uniform_float32(s, gs::strict); });
    const auto wide = defined<double>(n, 3, [](auto& s) { return gs::uniform_float64(s); });
    EXPECT_EQ(gs::uniform<float>(n, 3).copy_to_host(), single) << n;
    EXPECT_EQ(gs::uniform<double>(n, 3).copy_to_host(), wide) << n;
    std::vector<float> host(n, -1);
    gs::fill_uniform(host, 3);
    EXPECT_EQ(host, single) << n;
  }
}

TEST(normal, is_defined_by_the_seed_and_the_place) {
  for (const std::size_t n : sizes) {
    const auto single = defined<float>(n, 3, [](auto& s) { return gs::normal_float32(s, gs::strict); });
    const auto wide = defined<double>(n, 3, [](auto& s) { return gs::normal_float64(s, gs::strict); });
    EXPECT_EQ(gs::normal<float>(n, 3).copy_to_host(), single) << n;
    EXPECT_EQ(gs::normal<double>(n, 3).copy_to_host(), wide) << n;
    std::vector<double> host(n, -1);
    gs::fill_normal(host, 3);
    EXPECT_EQ(host, wide) << n;
  }
}

TEST(normal, of_a_shorter_array_is_the_beginning_of_a_longer_one) {
  const auto numbers = gs::normal<float>(100'003, 8).copy_to_host();
  for (const std::size_t n : sizes)
    EXPECT_EQ(gs::normal<float>(n, 8).copy_to_host(),
              std::vector<float>(numbers.begin(), numbers.begin() + std::ptrdiff_t(n)));
}

TEST(integers, are_defined_by_the_seed_and_the_place) {
  for (const std::size_t n : sizes) {
    const auto expected = defined<int>(n, 3, [](auto& s) { return gs::uniform_integer(s, -5, 1000); });
    EXPECT_EQ(gs::integers<int>(n, -5, 1000, 3).copy_to_host(), expected) << n;
    std::vector<int> host(n, -7);
    gs::fill_integers(host, -5, 1000, 3);
    EXPECT_EQ(host, expected) << n;
  }
  // Three quarters of all 64 bits: a quarter of the draws is thrown away.
  const std::uint64_t high = (std::uint64_t{3} << 62) - 1;
  const auto wide =
      defined<std::uint64_t>(20'000, 3, [&](auto& s) { return gs::uniform_integer(s, std::uint64_t{0}, high); });
  EXPECT_EQ(gs::integers<std::uint64_t>(20'000, 0, high, 3).copy_to_host(), wide);
  for (const std::uint8_t x : gs::integers<std::uint8_t>(1009, 250, 255, 3).copy_to_host()) EXPECT_GE(x, 250);
}

// FNV-1a (Fowler, Noll and Vo) of the elements' bytes.
template <class T>
std::uint64_t hash(const gs::device_array<T>& x) {
  std::uint64_t h = 0xcbf29ce484222325;
  for (const T value : x.copy_to_host())
    for (const std::uint8_t byte : std::bit_cast<std::array<std::uint8_t, sizeof(T)>>(value))
      h = (h ^ byte) * 0x100000001b3;
  return h;
}

// What these gave with AVX-512, with AVX2, with SSE2 alone, and without the optimiser.
TEST(random_arrays, are_the_same_bits_on_every_machine) {
  EXPECT_EQ(hash(gs::uniform<float>(200'003, 7)), 0xd6e86b7ae08ec952u);
  EXPECT_EQ(hash(gs::uniform<double>(200'003, 7)), 0xc9f9d7b2057a2c0u);
  EXPECT_EQ(hash(gs::normal<float>(200'003, 7)), 0xbef4d2e915008b95u);
  EXPECT_EQ(hash(gs::normal<double>(200'003, 7)), 0x1d579b42ea24125eu);
  EXPECT_EQ(hash(gs::integers<int>(200'003, -5, 1000, 7)), 0x2dca1b1d72a209d3u);
}

TEST(random_arrays, have_the_shape_that_was_asked_for) {
  const auto table = gs::uniform<double>({7, 11, 3}, 5);
  EXPECT_EQ(table.shape(), gs::shape({7, 11, 3}));
  EXPECT_EQ(table.copy_to_host(), gs::uniform<double>(7 * 11 * 3, 5).copy_to_host());
  EXPECT_EQ(gs::uniform<float>({0, 4}, 5).size(), 0u);
  EXPECT_NE(gs::uniform<float>(100, 5).copy_to_host(), gs::uniform<float>(100, 6).copy_to_host());
}

TEST(random_arrays, fill_a_slice_and_nothing_beside_it) {
  auto x = gs::to_device(std::vector<float>(1000, -1.0f));
  gs::fill_uniform(x.slice(100, 900), 4);
  const auto filled = x.copy_to_host();
  const auto expected = gs::uniform<float>(800, 4).copy_to_host();
  for (std::size_t i = 0; i < 1000; ++i) ASSERT_EQ(filled[i], i < 100 || i >= 900 ? -1 : expected[i - 100]) << i;
}

TEST(random_arrays, fill_containers_of_a_library) {
  xt::xarray<double> table = xt::zeros<double>({7, 11});
  gs::fill_normal(table, 5);
  EXPECT_EQ(std::vector<double>(table.begin(), table.end()), gs::normal<double>({7, 11}, 5).copy_to_host());
}

// Large enough to be written past the caches, at an address that is no multiple of a cache line.
TEST(random_arrays, are_the_same_when_streamed) {
  const std::size_t n = std::max<std::size_t>(gs::detail::streaming_threshold() / sizeof(float) + 1009, 1 << 20);
  std::vector<float> host(n + 1);
  gs::fill_uniform(std::span(host).subspan(1), 2);
  const auto expected = defined<float>(n, 2, [](auto& s) { return gs::uniform_float32(s, gs::strict); });
  EXPECT_EQ(host[0], 0);
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), host.begin() + 1));
}

TEST(random_arrays, refuse_an_empty_range_and_a_moved_array) {
  EXPECT_TRUE(refused([] { gs::integers<int>(10, 3, 2, 1); },
                      {"random integers from 3 to 2", "the second is smaller", "both are included"}));
  auto x = gs::uniform<float>(10, 1);
  const auto y = std::move(x);
  EXPECT_TRUE(refused([&] { gs::fill_uniform(x, 1); }, {"moved from"}));
}

TEST(random_arrays, cost_a_copy_of_their_states_on_the_device_and_nothing_on_the_host) {
  const gs::ledger_scope device;
  const auto x = gs::uniform<float>(5 * 16384, 1);
  EXPECT_EQ(device.account().copies_to_device, 1u);
  EXPECT_EQ(device.account().bytes_to_device, 5 * 32 * sizeof(gs::random_state));
  EXPECT_EQ(device.account().launches, 1u);
  const gs::ledger_scope host;
  std::vector<float> y(1009);
  gs::fill_uniform(y, 1);
  EXPECT_EQ(host.account().copies_to_device + host.account().copies_to_host + host.account().launches, 0u);
}

// Each thread draws ten numbers of each kind and leaves its state behind.
GS_FN void draw_ten(gs::thread t, gs::view<gs::random_state> states, gs::view<double, 2> out) {
  gs::random_state state = states[t.grid()];
  for (std::size_t k = 0; k < 10; ++k) {
    out(t.grid(), 4 * k) = static_cast<double>(gs::uniform_float32(state));
    out(t.grid(), 4 * k + 1) = gs::uniform_float64(state);
    out(t.grid(), 4 * k + 2) = gs::uniform_integer(state, -100, 100);
    out(t.grid(), 4 * k + 3) = static_cast<double>(gs::uniform_float32(state, gs::strict));
  }
  states[t.grid()] = state;
}

TEST(draws_in_kernels, are_those_of_the_host) {
  auto states = gs::random_states(96, 17);
  gs::device_array<double> out({96, 40});
  gs::launch<draw_ten>({.grid = 3, .block = 32}, states, out);
  const auto drawn = out.copy_to_host();
  const auto states_after = states.copy_to_host();
  for (std::size_t i = 0; i < 96; ++i) {
    gs::random_state state = gs::random_state_at(17, i);
    for (std::size_t k = 0; k < 10; ++k) {
      const double* drawn_values = &drawn[40 * i + 4 * k];
      EXPECT_EQ(drawn_values[0], static_cast<double>(gs::uniform_float32(state)));
      EXPECT_EQ(drawn_values[1], gs::uniform_float64(state));
      EXPECT_EQ(drawn_values[2], gs::uniform_integer(state, -100, 100));
      EXPECT_EQ(drawn_values[3], static_cast<double>(gs::uniform_float32(state, gs::strict)));
    }
    EXPECT_EQ(states_after[i], state) << i;
  }
}

GS_FN void draw_normals(gs::thread t, gs::view<gs::random_state> states, gs::view<float> single,
                        gs::view<double> wide) {
  gs::random_state state = states[t.grid()];
  single[t.grid()] = gs::normal_float32(state);
  wide[t.grid()] = gs::normal_float64(state);
}

TEST(draws_in_kernels, of_normals_differ_in_the_last_places_at_most) {
  const auto states = gs::random_states(1024, 17);
  gs::device_array<float> single(1024);
  gs::device_array<double> wide(1024);
  gs::launch<draw_normals>({.grid = 8, .block = 128}, states, single, wide);
  const auto f = single.copy_to_host();
  const auto d = wide.copy_to_host();
  for (std::size_t i = 0; i < 1024; ++i) {
    gs::random_state state = gs::random_state_at(17, i);
    EXPECT_NEAR(f[i], gs::normal_float32(state), 3e-6) << i;
    EXPECT_NEAR(d[i], gs::normal_float64(state), 1e-6) << i;  // its logarithm is a float32's
  }
}

// A thread with 8 streams draws from each what a thread with one would.
GS_FN void sum_lanes(gs::thread t, gs::view<gs::random_state> states, gs::view<float> sums) {
  gs::random_lanes<8> random(states, t.grid() * 8);
  float sum[8] = {};
  for (int k = 0; k < 100; ++k)
    for (unsigned lane = 0; lane < random.size(); ++lane) {
      gs::random_state state = random.get(lane);
      sum[lane] += gs::uniform_float32(state);
      random.set(lane, state);
    }
  random.store(states, t.grid() * 8);
  for (unsigned lane = 0; lane < random.size(); ++lane) sums[t.grid() * 8 + lane] = sum[lane];
}

TEST(random_lanes, are_streams_side_by_side) {
  auto states = gs::random_states(64, 17);
  gs::device_array<float> sums(64);
  gs::launch<sum_lanes>({.grid = 2, .block = 4}, states, sums);
  const auto sums_of_block = sums.copy_to_host();
  const auto states_after = states.copy_to_host();
  for (std::size_t i = 0; i < 64; ++i) {
    gs::random_state state = gs::random_state_at(17, i);
    float sum = 0;
    for (int k = 0; k < 100; ++k) sum += gs::uniform_float32(state);
    EXPECT_EQ(sums_of_block[i], sum) << i;
    EXPECT_EQ(states_after[i], state) << i;
  }
}

}  // namespace
