// Exercise 03: types. Fill in the marked places; ./gridstride check 03 says what is still missing.

#include <cstdint>

#include "runtime/gs.h"

// 1. x * x, for any type. Let `squared` take float, double and std::int64_t, each computed in its own type.
template <class T>
GS_FN T square(T x) {
  return x * x;
}
// Your turn: name the specialisations.
inline constexpr auto squared = gs::vectorize<square<float>>;
// Until here.

// 2. A sensor's signal. The three functions are meant to compute in float32, but each of them does part of its work in
// float64. Let them compute in float32 throughout: same formulas, same order of operations.
// Your turn.
GS_FN float damped(float x) { return static_cast<float>(0.1 * x); }
GS_FN float cubed(float x) { return static_cast<float>(static_cast<double>(x) * x * x); }
GS_FN bool is_noise(float x) { return x <= 0.1; }
// Until here.

// 3. Clocks count nanoseconds since 1970 in std::int64_t: today some 1.8e18. How many seconds lie between two moments?
// The result may be negative, and every nanosecond counts.
GS_FN double seconds_between(std::int64_t start, std::int64_t end) {
  // Your turn.
  return 1e-9 * static_cast<double>(end) - 1e-9 * static_cast<double>(start);
  // Until here.
}
