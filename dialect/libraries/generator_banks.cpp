#include "dialect/libraries/generator_banks.h"

namespace dialect::random {

// Jumps commute: one over the turns that all have taken, and from one generator to the next one over a subsequence.
void xorwow_bank::begin(unsigned long long seed, unsigned long long turns) {
  curandStateXORWOW state;
  curand_init(seed, 0, turns / generators, &state);
  states_.assign(generators, state);
  for (std::size_t g = 1; g < generators; ++g) states_[g].words = xorwow::jumped(states_[g - 1].words, 0, 1);
  for (std::size_t g = 0; g < turns % generators; ++g) curand(&states_[g]);
}

void philox_bank::begin(unsigned long long seed, unsigned long long turns) {
  seed_ = seed;
  blocks_.assign(generators, turns / generators);
  for (std::size_t g = 0; g < turns % generators; ++g) ++blocks_[g];
}

curandStatePhilox4_32_10 philox_bank::state_of(std::size_t generator) const {
  curandStatePhilox4_32_10 state;
  curand_init(seed_, generator, 0, &state);
  philox::add(state.counter, 0, blocks_[generator]);
  state.output = philox::encrypted(state.counter, state.key);
  return state;
}

curandStatePhilox4_32_10 philox_bank::state_apart(std::size_t generator, unsigned k) const {
  curandStatePhilox4_32_10 state;
  curand_init(seed_, generator, 0, &state);
  state.counter[1] = k, state.counter[3] = 1 + static_cast<unsigned>(blocks_[generator]);
  state.output = philox::encrypted(state.counter, state.key);
  return state;
}

}  // namespace dialect::random
