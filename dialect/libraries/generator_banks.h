#pragma once
// generator_banks: the many generators of which a generator of cuRAND's host API consists, and how they take turns.
//
// The order of the numbers was found out from cuRAND's own generators for the host, which give what those for a GPU
// give: 4,096 of XORWOW or 65,536 of Philox take turns, each in a subsequence of its own. In a turn one of XORWOW's
// draws one number, or a pair of normally distributed ones; one of Philox draws four.

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "dialect/libraries/curand_kernel.h"
#include "runtime/device/host_work.h"

namespace dialect::random {

// What is drawn is a functor: it writes one number or two, and returns how many.

class xorwow_bank {
 public:
  static constexpr std::size_t generators = 4096;
  template <class Draw>
  static constexpr std::size_t numbers_per_turn = Draw::comes_in_pairs ? 2 : 1;

  /// As if `turns` turns had been taken of which each drew 32 bits.
  void begin(unsigned long long seed, unsigned long long turns);

  template <class Draw>
  void take_turn(std::size_t generator, const Draw& draw, typename Draw::number* to, bool) {
    draw(&states_[generator], to);
  }

 private:
  std::vector<curandStateXORWOW> states_;
};

class philox_bank {
 public:
  static constexpr std::size_t generators = 65536;
  template <class Draw>
  static constexpr std::size_t numbers_per_turn = 4;

  /// As if `turns` turns had been taken of which each drew four times 32 bits.
  void begin(unsigned long long seed, unsigned long long turns);

  /// If it isn't the end of the turn, the next one draws the same numbers again.
  template <class Draw>
  void take_turn(std::size_t generator, const Draw& draw, typename Draw::number* to, bool is_end) {
    if constexpr (Draw::takes_any_number_of_bits) {
      for (unsigned k = 0; k < numbers_per_turn<Draw>; ++k) {
        auto state = state_apart(generator, k);
        draw(&state, to + k);
      }
      if (is_end) ++blocks_[generator];
    } else {
      auto state = state_of(generator);
      for (unsigned k = 0; k < numbers_per_turn<Draw>;) k += draw(&state, to + k);
      if (is_end) blocks_[generator] = state.counter[0] | static_cast<unsigned long long>(state.counter[1]) << 32;
    }
  }

 private:
  curandStatePhilox4_32_10 state_of(std::size_t generator) const;
  // One in a sequence that nothing else is drawn from, for number `k` of the turn.
  curandStatePhilox4_32_10 state_apart(std::size_t generator, unsigned k) const;

  unsigned long long seed_ = 0;
  std::vector<unsigned long long> blocks_;  // of 128 bits, that each generator has drawn
};

/// Fills `numbers`, from number `skipped` of turn `first_turn` on, on all cores.
template <class Bank, class Draw>
void fill(Bank& bank, unsigned long long first_turn, std::size_t skipped, typename Draw::number* numbers, std::size_t n,
          const Draw& draw, gs::detail::spread_function spread) {
  constexpr std::size_t per_turn = Bank::template numbers_per_turn<Draw>, grain = 64;
  const std::size_t turns = (skipped + n + per_turn - 1) / per_turn;
  spread(std::min(turns, Bank::generators), grain, [&](std::size_t begin, std::size_t end) {
    std::array<typename Draw::number, per_turn> drawn;
    for (std::size_t round = 0; round < turns; round += Bank::generators)
      for (std::size_t turn = round + begin; turn < std::min(round + end, turns); ++turn) {
        const std::size_t generator = (first_turn + turn) % Bank::generators, from = turn * per_turn;
        bank.take_turn(generator, draw, drawn.data(), from + per_turn <= skipped + n);
        for (std::size_t k = 0; k < per_turn; ++k)
          if (from + k >= skipped && from + k < skipped + n) numbers[from + k - skipped] = drawn[k];
      }
  });
}

}  // namespace dialect::random
