// expect: allocations for 7 records as for 3
// Exercise 10: the fewest copies. Both functions give right results; ./gridstride check 10 says what they cost too
// much.

#include <vector>

#include "runtime/gs.h"

GS_FN float pulse(float time, float period, float height) {
  const float phase = time / period, x = 2 * (phase - static_cast<float>(static_cast<int>(phase))) - 1;
  return height * (1 - x * x);  // a parabola from 0 up to the height and back to 0
}
GS_FN float sum_of(float a, float b) { return a + b; }
GS_FN float product_of(float a, float b) { return a * b; }

// They run on the device, wherever their arrays lie. A result lies where the inputs do, or where gs::out says.
inline constexpr auto make_pulses = gs::vectorize<pulse>.on(gs::target::device);
inline constexpr auto add = gs::vectorize<sum_of>.on(gs::target::device);
inline constexpr auto multiply = gs::vectorize<product_of>.on(gs::target::device);

using array = std::vector<float>;

// 1. Pulses and noise. The arrays come from the host, and the result is wanted there. Here that makes 4 copies to the
// device and 2 to the host; 3 and 1 are enough.
array waveform(const array& time, float period, const array& height, const array& noise) {
  // Your turn.
  auto pulses = gs::device_array_like(time);
  make_pulses(time, period, height, gs::out(pulses));
  array sum(time.size());
  add(pulses, noise, gs::out(sum));
  return sum;
  // Until here.
}

// 2. The average of as many waveforms as there are records of noise, one or more. Their pulses are the same. Fewest
// means here: time, height and each record go to the device once, one array comes back; the pulses are made once, so
// that k records take k + 3 launches; and the loop makes no arrays, so that more records take no more allocations.
array average(const array& time, float period, const array& height, const std::vector<array>& records) {
  const float share = 1 / static_cast<float>(records.size());
  // Your turn.
  auto sum = gs::device_array_like(time);
  make_pulses(time, period, height, gs::out(sum));
  multiply(sum, static_cast<float>(records.size()), gs::out(sum));
  for (const array& record : records) {
    add(sum, record, gs::out(sum));
  }
  multiply(sum, share, gs::out(sum));
  return sum.copy_to_host();
  // Until here.
}
