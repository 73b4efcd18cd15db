// expect: host_work, graded whole
// Takes the values home and counts them there; a kernel writes once more what was brought back.

#include "assessments/A2_histogram/task.h"

GS_FN void look(gs::thread t, gs::view<const float> values, gs::view<unsigned> counts) {
  float seen = 0;
  for (auto i : t.grid_stride(values.size())) seen += values[i];
  for (auto k : t.grid_stride(counts.size())) counts[k] += seen > 1e30f;
}

void histogram(const gs::device_array<float>& values, float low, float high, const gs::device_array<unsigned>& counts) {
  const auto bins = static_cast<float>(counts.size());
  const float scale = bins / (high - low);
  std::vector<unsigned> mine(counts.size());
  for (const float x : values.copy_to_host()) {
    const float position = (x - low) * scale;
    if (position >= 0 && position < bins) ++mine[static_cast<unsigned>(position)];
  }
  gs::device_array<unsigned> all = counts.slice(0, counts.size());
  all.copy_from_host(mine);
  gs::launch<look>({.grid = 8, .block = 256}, values, counts);
}
