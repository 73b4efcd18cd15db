// States reached directly, against jumps one after another and against matrices squared by a program of its own.

#include "runtime/random/random_states.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "runtime/gs.h"
#include "tests/runtime/refused.h"

namespace {

using runtime_test::refused;

// The jump by 2^64 as the generator's authors publish it: a polynomial's coefficients say which of 128 steps to add up.
gs::random_state jumped(gs::random_state state) {
  gs::random_state sum{0, 0};
  for (const std::uint64_t coefficients : {0xbeac0467eba5facbu, 0xd86b048b86aa9922u})
    for (int bit = 0; bit < 64; ++bit) {
      if (coefficients >> bit & 1) sum = {sum.s0 ^ state.s0, sum.s1 ^ state.s1};
      gs::next_uint64(state);
    }
  return sum;
}

using bits = std::array<bool, 128>;
using matrix = std::array<bits, 128>;  // matrix[row][column]

bits bits_of(gs::random_state state) {
  bits b;
  for (std::size_t i = 0; i < 64; ++i) b[i] = state.s0 >> i & 1, b[64 + i] = state.s1 >> i & 1;
  return b;
}
gs::random_state state_of(const bits& b) {
  gs::random_state state{0, 0};
  for (std::size_t i = 0; i < 64; ++i) {
    state.s0 |= std::uint64_t{b[i]} << i;
    state.s1 |= std::uint64_t{b[64 + i]} << i;
  }
  return state;
}
matrix squared(const matrix& m) {
  matrix product{};
  for (std::size_t r = 0; r < 128; ++r)
    for (std::size_t k = 0; k < 128; ++k)
      if (m[r][k])
        for (std::size_t c = 0; c < 128; ++c) product[r][c] = product[r][c] != m[k][c];
  return product;
}
bits times(const matrix& m, const bits& b) {
  bits product{};
  for (std::size_t r = 0; r < 128; ++r)
    for (std::size_t c = 0; c < 128; ++c) product[r] = product[r] != (m[r][c] && b[c]);
  return product;
}
// One step of the generator, squared `squarings` times.
matrix step_matrix(int squarings) {
  matrix m;
  for (std::size_t c = 0; c < 128; ++c) {
    bits unit{};
    unit[c] = true;
    gs::random_state state = state_of(unit);
    gs::next_uint64(state);
    const bits image = bits_of(state);
    for (std::size_t r = 0; r < 128; ++r) m[r][c] = image[r];
  }
  for (int k = 0; k < squarings; ++k) m = squared(m);
  return m;
}

TEST(random_states, of_a_million_are_sequential_jumps) {
  constexpr std::size_t n = 1'000'000;
  const auto states = gs::random_states(n, 42).copy_to_host();
  ASSERT_EQ(states.size(), n);
  gs::random_state state = gs::random_state_at(42, 0);
  EXPECT_EQ(states[0], state);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < n; ++i, state = jumped(state)) {
    wrong += states[i] != state;
    if (i == 20'000) {  // these one by one, then samples: each is one jump from its neighbour
      for (std::size_t k = i; k + 1 < n; k += 997) wrong += states[k + 1] != jumped(states[k]);
      break;
    }
  }
  EXPECT_EQ(wrong, 0u);
  for (const std::size_t i : {std::size_t{1023}, std::size_t{1024}, n / 2, n - 1})
    EXPECT_EQ(states[i], gs::random_state_at(42, i)) << i;
}

TEST(random_states, far_away_are_powers_of_the_matrix) {
  const matrix jump = step_matrix(64), far = step_matrix(64 + 40);
  for (const gs::random_mode mode : {gs::random_mode::numba, gs::strict}) {
    const gs::random_state first = gs::random_state_at(7, 0, mode);
    const gs::random_state second = state_of(times(jump, bits_of(first)));
    EXPECT_EQ(second, jumped(first));
    EXPECT_EQ(gs::random_state_at(7, 1, mode), second);
    const gs::random_state state_there = state_of(times(far, bits_of(first)));
    EXPECT_EQ(gs::random_state_at(7, std::uint64_t{1} << 40, mode), state_there);
    EXPECT_EQ(gs::random_state_at(7, (std::uint64_t{1} << 40) + 1, mode), jumped(state_there));
  }
}

TEST(random_states, the_last_one_is_a_jump_before_the_second_draw_of_the_first) {
  // 2^64 jumps are 2^128 draws: once around the period of 2^128 - 1, and one more.
  gs::random_state first = gs::random_state_at(7, 0);
  gs::next_uint64(first);
  EXPECT_EQ(jumped(gs::random_state_at(7, ~std::uint64_t{0})), first);
}

TEST(random_states, begin_where_they_are_told_to) {
  for (const std::size_t n : {0, 1, 31, 32, 33, 1009}) {
    const auto states = gs::random_states(n + 5, 3).copy_to_host(),
               later_states = gs::random_states(n, 3, 5).copy_to_host();
    EXPECT_EQ(later_states, std::vector(states.begin() + 5, states.end())) << n;
    std::vector<gs::random_state> host(n);
    gs::fill_random_states(host, 3, 5);
    EXPECT_EQ(host, later_states) << n;
  }
  const auto table = gs::random_states({3, 4}, 3);
  EXPECT_EQ(table.shape(), gs::shape({3, 4}));
  EXPECT_EQ(table.copy_to_host(), gs::random_states(12, 3).copy_to_host());
}

TEST(random_states, differ_by_seed_and_mode) {
  EXPECT_NE(gs::random_state_at(1, 0), gs::random_state_at(2, 0));
  const gs::random_state numba = gs::random_state_at(1, 0), strict = gs::random_state_at(1, 0, gs::strict);
  EXPECT_EQ(numba.s0, numba.s1);
  EXPECT_EQ(strict.s0, numba.s0);
  EXPECT_NE(strict.s0, strict.s1);
}

TEST(random_states, one_seed_gives_the_state_that_draws_zeros) {
  constexpr std::uint64_t seed = 7046029254386353131u;
  const gs::random_state zero{0, 0};
  for (const std::uint64_t i : {0, 1, 1000}) {
    gs::random_state state = gs::random_state_at(seed, i);
    EXPECT_EQ(state, zero);
    EXPECT_EQ(gs::next_uint64(state), 0u);
    EXPECT_EQ(gs::uniform_integer(state, 3, 7), 3);  // and comes to an end
    EXPECT_NE(gs::random_state_at(seed, i, gs::strict), zero);
  }
  EXPECT_NE(gs::random_state_at(seed - 1, 0), zero);
  EXPECT_NE(gs::random_state_at(seed + 1, 0), zero);
  for (std::uint64_t preceding : {1, 2, 3})  // the strict state's second word is 0 one seed earlier: its first isn't
    EXPECT_NE(gs::random_state_at(seed - preceding * 0x9e3779b97f4a7c15u, 0, gs::strict), zero);
}

TEST(random_states, refuse_to_go_beyond_the_last) {
  constexpr std::uint64_t last = ~std::uint64_t{0};
  EXPECT_EQ(gs::random_states(1, 1, last).copy_to_host()[0], gs::random_state_at(1, last));
  EXPECT_TRUE(refused([] { gs::random_states(2, 1, last); },
                      {"2 random states from number 18446744073709551615 on", "a seed has 2^64 states",
                       "start at a lower number, or take another seed"}));
  EXPECT_TRUE(refused([] { gs::random_states(-1, 1); }, {"-1"}));
}

TEST(random_states, are_one_copy_to_the_device) {
  const gs::ledger_scope scope;
  const auto states = gs::random_states(1009, 1);
  EXPECT_EQ(scope.account().copies_to_device, 1u);
  EXPECT_EQ(scope.account().bytes_to_device, 1009 * sizeof(gs::random_state));
}

}  // namespace
