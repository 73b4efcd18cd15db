// expect: criterion:coalesced or criterion:many_blocks
// Each thread counts a row of its own: no atomics, no race, and neighbouring lanes are a row apart.

#include "assessments/A2_histogram/task.h"

GS_FN void count(gs::thread t, gs::view<const float, 2> values, float low, float scale, gs::view<unsigned, 2> counts) {
  for (auto row : t.grid_stride(counts.extent(0))) {
    for (std::size_t k = 0; k < counts.extent(1); ++k) counts(row, k) = 0;
    for (std::size_t column = 0; column < values.extent(1); ++column) {
      const float position = (values(row, column) - low) * scale;
      if (position >= 0 && position < static_cast<float>(counts.extent(1)))
        ++counts(row, static_cast<unsigned>(position));
    }
  }
}

void histograms(const gs::device_array<float>& values, float low, float high,
                const gs::device_array<unsigned>& counts) {
  gs::launch<count>({.grid = counts.extent(0) / 128 + 1, .block = 128}, values, low,
                    static_cast<float>(counts.extent(1)) / (high - low), counts);
}
