#pragma once
// cuRAND on the device: cuRAND Library Programming Guide, "Device API Overview". XORWOW and Philox give cuRAND's own
// numbers: bits and uniform ones to the last bit, others as far as functions such as sin() agree. Poisson numbers do up
// to a mean of 64 and above 4,000; between, they are drawn by another method.

#include <cmath>
#include <concepts>

#include "dialect/language/device_math.h"
#include "dialect/language/vector_types.h"
#include "dialect/libraries/curand.h"
#include "dialect/libraries/philox.h"
#include "dialect/libraries/xorwow.h"

#define GS_DIALECT_FN [[gnu::always_inline]] inline

using curandStateXORWOW_t = curandStateXORWOW;
using curandState_t = curandStateXORWOW;
using curandState = curandStateXORWOW;
using curandStatePhilox4_32_10_t = curandStatePhilox4_32_10;

#define GS_DIALECT_NO_STATE(name)                                                  \
  using name                                                                       \
      [[gnu::unavailable("this generator isn't supported: take curandStateXORWOW " \
                         "or curandStatePhilox4_32_10")]] = struct missing_##name;
GS_DIALECT_NO_STATE(curandStateMRG32k3a)
GS_DIALECT_NO_STATE(curandStateMRG32k3a_t)
GS_DIALECT_NO_STATE(curandStateMtgp32)
GS_DIALECT_NO_STATE(curandStateMtgp32_t)
GS_DIALECT_NO_STATE(curandStateSobol32)
GS_DIALECT_NO_STATE(curandStateSobol32_t)
GS_DIALECT_NO_STATE(curandStateScrambledSobol32_t)
GS_DIALECT_NO_STATE(curandStateSobol64_t)
GS_DIALECT_NO_STATE(curandStateScrambledSobol64_t)
#undef GS_DIALECT_NO_STATE

// --- bits ------------------------------------------------------------------------------------------------------------

/// Moves on by so many numbers, or subsequences: of 2^67 numbers each for XORWOW, of 2^66 for Philox.
///@{
GS_DIALECT_FN void skipahead(unsigned long long numbers, curandStateXORWOW_t* state) {
  state->words = dialect::xorwow::jumped(state->words, numbers, 0);
  state->weyl += dialect::xorwow::weyl_step * static_cast<unsigned>(numbers);
}
GS_DIALECT_FN void skipahead_sequence(unsigned long long subsequences, curandStateXORWOW_t* state) {
  state->words = dialect::xorwow::jumped(state->words, 0, subsequences);
}
GS_DIALECT_FN void skipahead(unsigned long long numbers, curandStatePhilox4_32_10_t* state) {
  const unsigned used = state->used + static_cast<unsigned>(numbers & 3);
  dialect::philox::add(state->counter, 0, numbers / 4 + used / 4);
  state->output = dialect::philox::encrypted(state->counter, state->key);
  state->used = used % 4;
}
GS_DIALECT_FN void skipahead_sequence(unsigned long long subsequences, curandStatePhilox4_32_10_t* state) {
  dialect::philox::add(state->counter, 2, subsequences);
  state->output = dialect::philox::encrypted(state->counter, state->key);
}
///@}

/// The state at a place of the sequence that belongs to a seed.
///@{
GS_DIALECT_FN void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                               curandStateXORWOW_t* state) {
  const unsigned low = (static_cast<unsigned>(seed) ^ 0xaad26b49) * 1099087573;
  const unsigned high = (static_cast<unsigned>(seed >> 32) ^ 0xf7dcefdd) * 2591861531;
  state->weyl = 6615241 + high + low + dialect::xorwow::weyl_step * static_cast<unsigned>(offset);
  state->words = dialect::xorwow::jumped(
      {123456789 + low, 362436069 ^ low, 521288629 + high, 88675123 ^ high, 5783321 + low}, offset, subsequence);
  state->left_over = state->left_over_double = 0;
  state->second = 0, state->second_double = 0;
}
GS_DIALECT_FN void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                               curandStatePhilox4_32_10_t* state) {
  state->counter = {};
  state->key = {static_cast<unsigned>(seed), static_cast<unsigned>(seed >> 32)};
  state->used = 0;
  state->left_over = state->left_over_double = 0;
  state->second = 0, state->second_double = 0;
  dialect::philox::add(state->counter, 2, subsequence);
  skipahead(offset, state);
}
///@}

/// 32 random bits.
///@{
GS_DIALECT_FN unsigned int curand(curandStateXORWOW_t* state) {
  dialect::xorwow::step(state->words);
  state->weyl += dialect::xorwow::weyl_step;
  return state->words[4] + state->weyl;
}
GS_DIALECT_FN unsigned int curand(curandStatePhilox4_32_10_t* state) {
  const unsigned bits = state->output[state->used];
  if (++state->used == 4) {
    dialect::philox::add(state->counter, 0, 1);
    state->output = dialect::philox::encrypted(state->counter, state->key);
    state->used = 0;
  }
  return bits;
}
///@}
GS_DIALECT_FN uint4 curand4(curandStatePhilox4_32_10_t* state) {
  const unsigned x = curand(state), y = curand(state), z = curand(state);
  return {x, y, z, curand(state)};
}

// --- distributions ---------------------------------------------------------------------------------------------------

namespace dialect::random {

template <class S>
concept state = std::same_as<S, curandStateXORWOW_t> || std::same_as<S, curandStatePhilox4_32_10_t>;

constexpr int left_over_normal = 1, left_over_log_normal = 2;

GS_DIALECT_FN float uniform(unsigned bits) { return static_cast<float>(bits) * 0x1p-32f + 0x1p-33f; }
/// 53 bits of two words: in (0, 1].
GS_DIALECT_FN double uniform_double(unsigned low, unsigned high) {
  return static_cast<double>(low ^ static_cast<unsigned long long>(high) << 21) * 0x1p-53 + 0x1p-54;
}

/// Two normally distributed numbers: Box and Muller, "A note on the generation of random normal deviates", 1958.
GS_DIALECT_FN float2 box_muller(unsigned x, unsigned y) {
  constexpr float turn = 0x1p-32f * 6.2831855f;
  const float radius = sqrtf(-2 * logf(uniform(x))), angle = static_cast<float>(y) * turn + turn / 2;
  return {radius * sinf(angle), radius * cosf(angle)};
}
GS_DIALECT_FN double2 box_muller_double(unsigned x0, unsigned x1, unsigned y0, unsigned y1) {
  const double radius = sqrt(-2 * log(uniform_double(x0, x1))), half_turns = 2 * uniform_double(y0, y1);
  return {radius * sinpi(half_turns), radius * cospi(half_turns)};
}

}  // namespace dialect::random

/// Uniformly distributed in (0, 1].
///@{
template <dialect::random::state S>
GS_DIALECT_FN float curand_uniform(S* state) {
  return dialect::random::uniform(curand(state));
}
GS_DIALECT_FN double curand_uniform_double(curandStateXORWOW_t* state) {
  const unsigned low = curand(state);
  return dialect::random::uniform_double(low, curand(state));
}
/// Of 32 bits only, as cuRAND's.
GS_DIALECT_FN double curand_uniform_double(curandStatePhilox4_32_10_t* state) {
  return curand(state) * 0x1p-32 + 0x1p-32;
}
GS_DIALECT_FN float4 curand_uniform4(curandStatePhilox4_32_10_t* state) {
  using dialect::random::uniform;
  const uint4 bits = curand4(state);
  return {uniform(bits.x), uniform(bits.y), uniform(bits.z), uniform(bits.w)};
}
GS_DIALECT_FN double2 curand_uniform2_double(curandStatePhilox4_32_10_t* state) {
  using dialect::random::uniform_double;
  const uint4 bits = curand4(state);
  return {uniform_double(bits.x, bits.y), uniform_double(bits.z, bits.w)};
}
GS_DIALECT_FN double4 curand_uniform4_double(curandStatePhilox4_32_10_t* state) {
  const double2 a = curand_uniform2_double(state), b = curand_uniform2_double(state);
  return {a.x, a.y, b.x, b.y};
}
///@}

/// Normally distributed, mean 0 and standard deviation 1.
///@{
template <dialect::random::state S>
GS_DIALECT_FN float2 curand_normal2(S* state) {
  const unsigned x = curand(state);
  return dialect::random::box_muller(x, curand(state));
}
template <dialect::random::state S>
GS_DIALECT_FN double2 curand_normal2_double(S* state) {
  const unsigned x0 = curand(state), x1 = curand(state), y0 = curand(state);
  return dialect::random::box_muller_double(x0, x1, y0, curand(state));
}
GS_DIALECT_FN float4 curand_normal4(curandStatePhilox4_32_10_t* state) {
  const float2 a = curand_normal2(state), b = curand_normal2(state);
  return {a.x, a.y, b.x, b.y};
}
GS_DIALECT_FN double4 curand_normal4_double(curandStatePhilox4_32_10_t* state) {
  const double2 a = curand_normal2_double(state), b = curand_normal2_double(state);
  return {a.x, a.y, b.x, b.y};
}
/// One of two: the next call returns the other.
template <dialect::random::state S>
GS_DIALECT_FN float curand_normal(S* state) {
  if (state->left_over == dialect::random::left_over_normal) {
    state->left_over = 0;
    return state->second;
  }
  const float2 both = curand_normal2(state);
  state->second = both.y, state->left_over = dialect::random::left_over_normal;
  return both.x;
}
template <dialect::random::state S>
GS_DIALECT_FN double curand_normal_double(S* state) {
  if (state->left_over_double == dialect::random::left_over_normal) {
    state->left_over_double = 0;
    return state->second_double;
  }
  const double2 both = curand_normal2_double(state);
  state->second_double = both.y, state->left_over_double = dialect::random::left_over_normal;
  return both.x;
}
///@}

/// The exponential of a normally distributed number, whose mean and standard deviation are given.
///@{
template <dialect::random::state S>
GS_DIALECT_FN float2 curand_log_normal2(S* state, float mean, float deviation) {
  const float2 both = curand_normal2(state);
  return {expf(mean + deviation * both.x), expf(mean + deviation * both.y)};
}
template <dialect::random::state S>
GS_DIALECT_FN double2 curand_log_normal2_double(S* state, double mean, double deviation) {
  const double2 both = curand_normal2_double(state);
  return {exp(mean + deviation * both.x), exp(mean + deviation * both.y)};
}
GS_DIALECT_FN float4 curand_log_normal4(curandStatePhilox4_32_10_t* state, float mean, float deviation) {
  const float2 a = curand_log_normal2(state, mean, deviation), b = curand_log_normal2(state, mean, deviation);
  return {a.x, a.y, b.x, b.y};
}
GS_DIALECT_FN double4 curand_log_normal4_double(curandStatePhilox4_32_10_t* state, double mean, double deviation) {
  const double2 a = curand_log_normal2_double(state, mean, deviation),
                b = curand_log_normal2_double(state, mean, deviation);
  return {a.x, a.y, b.x, b.y};
}
template <dialect::random::state S>
GS_DIALECT_FN float curand_log_normal(S* state, float mean, float deviation) {
  if (state->left_over == dialect::random::left_over_log_normal) {
    state->left_over = 0;
    return state->second;
  }
  const float2 both = curand_log_normal2(state, mean, deviation);
  state->second = both.y, state->left_over = dialect::random::left_over_log_normal;
  return both.x;
}
template <dialect::random::state S>
GS_DIALECT_FN double curand_log_normal_double(S* state, double mean, double deviation) {
  if (state->left_over_double == dialect::random::left_over_log_normal) {
    state->left_over_double = 0;
    return state->second_double;
  }
  const double2 both = curand_log_normal2_double(state, mean, deviation);
  state->second_double = both.y, state->left_over_double = dialect::random::left_over_log_normal;
  return both.x;
}
///@}

namespace dialect::random {

/// Counts how many uniform numbers it takes until their product falls below exp(-mean): Knuth, "The Art of Computer
/// Programming", volume 2, section 3.4.1.
template <state S>
inline unsigned poisson_by_product(S* state, float mean) {
  unsigned count = 0;
  for (float product = expf(mean) * curand_uniform(state); product > 1; product *= curand_uniform(state)) ++count;
  return count;
}

/// By transformed rejection with a squeeze, for a mean of 10 or more: Hoermann, "The transformed rejection method for
/// generating Poisson random variables", Insurance: Mathematics and Economics 12(1), 1993, algorithm PTRS.
template <state S>
inline unsigned poisson_by_rejection(S* state, double mean) {
  const double b = 0.931 + 2.53 * std::sqrt(mean), a = -0.059 + 0.02483 * b,
               inverse_alpha = 1.1239 + 1.1328 / (b - 3.4), squeeze = 0.9277 - 3.6224 / (b - 2),
               log_mean = std::log(mean);
  for (;;) {
    const double u = static_cast<double>(curand_uniform(state)) - 0.5, v = static_cast<double>(curand_uniform(state)),
                 distance = 0.5 - std::fabs(u), k = std::floor((2 * a / distance + b) * u + mean + 0.43);
    if (distance >= 0.07 && v <= squeeze) return static_cast<unsigned>(k);
    if (k < 0 || (distance < 0.013 && v > distance)) continue;
    if (std::log(v) + std::log(inverse_alpha) - std::log(a / (distance * distance) + b) <=
        k * log_mean - mean - std::lgamma(k + 1))
      return static_cast<unsigned>(k);
  }
}

/// A normally distributed number, rounded.
inline unsigned poisson_of_normal(double normal, double mean) {
  return static_cast<unsigned>(std::sqrt(mean) * normal + mean + 0.5);
}

constexpr double least_mean_of_rejection = 64, most_mean_of_rejection = 4000;

}  // namespace dialect::random

/// Poisson distributed with the given mean.
///@{
template <dialect::random::state S>
inline unsigned int curand_poisson(S* state, double mean) {
  using namespace dialect::random;
  if (mean < least_mean_of_rejection) return poisson_by_product(state, static_cast<float>(mean));
  if (mean <= most_mean_of_rejection) return poisson_by_rejection(state, mean);
  return poisson_of_normal(curand_normal_double(state), mean);
}
inline uint4 curand_poisson4(curandStatePhilox4_32_10_t* state, double mean) {
  using namespace dialect::random;
  if (mean > most_mean_of_rejection) {
    const double4 z = curand_normal4_double(state);
    return {poisson_of_normal(z.x, mean), poisson_of_normal(z.y, mean), poisson_of_normal(z.z, mean),
            poisson_of_normal(z.w, mean)};
  }
  const unsigned x = curand_poisson(state, mean), y = curand_poisson(state, mean), z = curand_poisson(state, mean);
  return {x, y, z, curand_poisson(state, mean)};
}
///@}
