// expect: wrong_answer
// As many blocks as fit: what doesn't fill a block is forgotten.

#include "assessments/A2_histogram/task.h"

GS_FN void clear(gs::thread t, gs::view<unsigned> counts) {
  for (auto k : t.grid_stride(counts.size())) counts[k] = 0;
}

GS_FN void count(gs::thread t, gs::view<const float> values, float low, float scale, gs::view<unsigned> counts) {
  const float position = (values[t.grid()] - low) * scale;
  if (position >= 0 && position < static_cast<float>(counts.size()))
    gs::atomic_ref(counts[static_cast<unsigned>(position)]).fetch_add(1u);
}

void histogram(const gs::device_array<float>& values, float low, float high, const gs::device_array<unsigned>& counts) {
  gs::launch<clear>({.grid = 4, .block = 256}, counts);
  const float scale = static_cast<float>(counts.size()) / (high - low);
  if (values.size() >= 32) gs::launch<count>({.grid = values.size() / 32, .block = 32}, values, low, scale, counts);
}
