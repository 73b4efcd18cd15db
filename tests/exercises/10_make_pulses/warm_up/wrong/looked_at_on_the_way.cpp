// expect: copies to the host
// Warm-up for 10: an input that is used twice; ./gridstride check 10w says what is still missing.

#include <vector>

#include "runtime/gs.h"

GS_FN float square_of(float x) { return x * x; }
GS_FN float sum_of(float a, float b) { return a + b; }
inline constexpr auto square = gs::vectorize<square_of>.on(gs::target::device);
inline constexpr auto add = gs::vectorize<sum_of>.on(gs::target::device);

// x * x + x of each number. Here three arrays go to the device and two come back. One and one are enough.
std::vector<float> square_and_itself(const std::vector<float>& x) {
  // Your turn.
  const auto there = gs::to_device(x);
  const auto squares = square(there);
  std::vector<float> seen = squares.copy_to_host();
  add(squares, there).copy_to_host(seen);
  return seen;
  // Until here.
}
