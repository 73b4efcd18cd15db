// expect: host_work
// The host counts in the device's own memory, which on the engine it could reach; the kernel only looks.

#include "assessments/A2_histogram/task.h"

GS_FN void look(gs::thread t, gs::view<const float> values, gs::view<unsigned> counts) {
  float seen = 0;
  for (auto i : t.grid_stride(values.size())) seen += values[i];
  for (auto k : t.grid_stride(counts.size())) counts[k] = seen > 1e30f;
}

void histogram(const gs::device_array<float>& values, float low, float high, const gs::device_array<unsigned>& counts) {
  const auto bins = static_cast<float>(counts.size());
  const float scale = bins / (high - low);
  gs::launch<look>({.grid = 8, .block = 256}, values, counts);
  gs::synchronize();
  for (std::size_t k = 0; k < counts.size(); ++k) counts.data()[k] = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const float position = (values.data()[i] - low) * scale;
    if (position >= 0 && position < bins) ++counts.data()[static_cast<unsigned>(position)];
  }
}
