// expect: host_work
// The host counts in the device's own memory, which on the engine it could reach; the kernel only looks.

#include "assessments/A2_histogram/task.h"

GS_FN void look(gs::thread t, gs::view<const float> values, gs::view<unsigned> counts) {
  float seen = 0;
  for (auto i : t.grid_stride(values.size())) seen += values[i];
  for (auto k : t.grid_stride(counts.size())) counts[k] = seen > 1e30f;
}

void count(const float* values, std::size_t columns, float low, float scale, unsigned* counts, std::size_t bins) {
  for (std::size_t i = 0; i < columns; ++i) {
    const float position = (values[i] - low) * scale;
    if (position >= 0 && position < static_cast<float>(bins)) ++counts[static_cast<unsigned>(position)];
  }
}

void histograms(const gs::device_array<float>& values, float low, float high,
                const gs::device_array<unsigned>& counts) {
  const std::size_t rows = counts.extent(0), bins = counts.extent(1), columns = values.extent(1);
  const float scale = static_cast<float>(bins) / (high - low);
  gs::launch<look>({.grid = 8, .block = 256}, values.reshape({-1}), counts.reshape({-1}));
  gs::synchronize();
  for (std::size_t k = 0; k < counts.size(); ++k) counts.data()[k] = 0;
  for (std::size_t row = 0; row < rows; ++row)
    count(values.data() + row * columns, columns, low, scale, counts.data() + row * bins, bins);
}
