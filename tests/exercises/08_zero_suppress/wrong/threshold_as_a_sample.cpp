// expect: threshold 32768
// Exercise 08: zero suppression. Fill in the marked places; ./gridstride check 08 says what is still missing.

#include <cstdint>
#include <vector>

#include "runtime/gs.h"

using sample = std::int16_t;

// 1. How far a sample is from 0, whatever its sign; right for each of the 65,536.
// Your turn: the type of the result, too.
GS_FN std::int32_t magnitude_of(sample value) { return value < 0 ? -value : value; }
// Until here.
inline constexpr auto magnitude = gs::vectorize<magnitude_of>;

// 2. The sample, or 0 if its magnitude is below the threshold, which may be any number of an int32.
GS_FN sample suppress(sample value, std::int32_t threshold) {
  // Your turn.
  return magnitude_of(value) < static_cast<sample>(threshold) ? sample{0} : value;
  // Until here.
}
inline constexpr auto zero_suppress = gs::vectorize<suppress>;

GS_FN std::int32_t larger_of(std::int32_t a, std::int32_t b) { return a > b ? a : b; }
GS_FN std::int32_t quotient_of(std::int32_t a, std::int32_t b) { return a / b; }
inline constexpr auto maximum = gs::vectorize<larger_of>;
inline constexpr auto divide = gs::vectorize<quotient_of>;

// 3. A large pulse blinds the detector for the rest of the record. So the threshold runs: for each sample it is an
// eighth of the largest magnitude so far, this sample's own included, in whole numbers, and never less than `least`.
// Use the ufuncs and their methods (reduce, accumulate, outer); no loop is needed.
std::vector<sample> suppress_running(const std::vector<sample>& samples, std::int32_t least) {
  // Your turn.
  const std::vector<std::int32_t> largest_so_far = maximum.accumulate(magnitude(samples));
  const std::vector<std::int32_t> threshold = maximum(divide(largest_so_far, 8), least);
  return zero_suppress(samples, threshold);
  // Until here.
}
