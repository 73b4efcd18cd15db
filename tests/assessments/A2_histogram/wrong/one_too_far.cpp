// expect: finding, graded whole
// <= for <: reads a value behind the last one.

#include "assessments/A2_histogram/task.h"

GS_FN void clear(gs::thread t, gs::view<unsigned> counts) {
  for (auto k : t.grid_stride(counts.size())) counts[k] = 0;
}

GS_FN void count(gs::thread t, gs::view<const float> values, float low, float scale, gs::view<unsigned> counts) {
  for (std::size_t i = t.grid(); i <= values.size(); i += t.gridsize()) {
    const float position = (values[i] - low) * scale;
    if (position >= 0 && position < static_cast<float>(counts.size()))
      gs::atomic_ref(counts[static_cast<unsigned>(position)]).fetch_add(1u);
  }
}

void histogram(const gs::device_array<float>& values, float low, float high, const gs::device_array<unsigned>& counts) {
  gs::launch<clear>({.grid = 4, .block = 256}, counts);
  gs::launch<count>({.grid = 32, .block = 256}, values, low, static_cast<float>(counts.size()) / (high - low), counts);
}
