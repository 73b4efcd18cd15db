// expect: criterion:coalesced
// One thread counts everything: no atomics, no race, and 31 lanes idle.

#include "assessments/A2_histogram/task.h"

GS_FN void count(gs::thread, gs::view<const float> values, float low, float scale, gs::view<unsigned> counts) {
  for (std::size_t k = 0; k < counts.size(); ++k) counts[k] = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const float position = (values[i] - low) * scale;
    if (position >= 0 && position < static_cast<float>(counts.size())) ++counts[static_cast<unsigned>(position)];
  }
}

void histogram(const gs::device_array<float>& values, float low, float high, const gs::device_array<unsigned>& counts) {
  gs::launch<count>({.grid = 1, .block = 1}, values, low, static_cast<float>(counts.size()) / (high - low), counts);
}
