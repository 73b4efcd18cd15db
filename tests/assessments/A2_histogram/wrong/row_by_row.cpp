// expect: criterion:private_counts
// Lesson 18's kernel, launched once for each row.

#include "assessments/A2_histogram/task.h"

GS_FN void clear(gs::thread t, gs::view<unsigned> counts) {
  for (auto k : t.grid_stride(counts.size())) counts[k] = 0;
}

GS_FN void count(gs::thread t, gs::dynamic_shared<unsigned> own, gs::view<const float> values, float low, float scale,
                 gs::view<unsigned> counts) {
  const std::size_t bins = counts.size();
  for (std::size_t k = t.thread_rank(); k < bins; k += t.block_size()) own[k] = 0;
  t.sync();
  for (auto i : t.grid_stride(values.size())) {
    const float position = (values[i] - low) * scale;
    if (position >= 0 && position < static_cast<float>(bins))
      gs::atomic_ref(own[static_cast<unsigned>(position)]).fetch_add(1u);
  }
  t.sync();
  for (std::size_t k = t.thread_rank(); k < bins; k += t.block_size()) gs::atomic_ref(counts[k]).fetch_add(own[k]);
}

void histograms(const gs::device_array<float>& values, float low, float high,
                const gs::device_array<unsigned>& counts) {
  const std::size_t rows = counts.extent(0), bins = counts.extent(1), columns = values.extent(1);
  const gs::device_array<float> all = values.reshape({-1});
  const gs::device_array<unsigned> of_all = counts.reshape({-1});
  gs::launch<clear>({.grid = 4, .block = 256}, of_all);
  for (std::size_t row = 0; row < rows; ++row)
    gs::launch<count>({.grid = columns / 8192 + 1, .block = 256, .shared_bytes = bins * sizeof(unsigned)},
                      all.slice(row * columns, (row + 1) * columns), low, static_cast<float>(bins) / (high - low),
                      of_all.slice(row * bins, (row + 1) * bins));
}
