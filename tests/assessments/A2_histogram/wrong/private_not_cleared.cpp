// expect: finding, graded whole
// Shared memory may hold anything before.

#include "assessments/A2_histogram/task.h"

GS_FN void clear(gs::thread t, gs::view<unsigned> counts) {
  for (auto k : t.grid_stride(counts.size())) counts[k] = 0;
}

GS_FN void count(gs::thread t, gs::dynamic_shared<unsigned> own, gs::view<const float> values, float low, float scale,
                 gs::view<unsigned> counts) {
  const std::size_t bins = counts.size();
  for (auto i : t.grid_stride(values.size())) {
    const float position = (values[i] - low) * scale;
    if (position >= 0 && position < static_cast<float>(bins))
      gs::atomic_ref(own[static_cast<unsigned>(position)]).fetch_add(1u);
  }
  t.sync();
  for (std::size_t k = t.thread_rank(); k < bins; k += t.block_size()) gs::atomic_ref(counts[k]).fetch_add(own[k]);
}

void histogram(const gs::device_array<float>& values, float low, float high, const gs::device_array<unsigned>& counts) {
  const std::size_t bins = counts.size();
  gs::launch<clear>({.grid = 4, .block = 256}, counts);
  gs::launch<count>({.grid = 32, .block = 256, .shared_bytes = bins * sizeof(unsigned)}, values, low,
                    static_cast<float>(bins) / (high - low), counts);
}
