// expect: wrong_answer
// Counts in float, which has no room for every number beyond 16,777,216.

#include "assessments/A2_histogram/task.h"

GS_FN void clear(gs::thread t, gs::view<float> sums) {
  for (auto k : t.grid_stride(sums.size())) sums[k] = 0;
}

GS_FN void count(gs::thread t, gs::dynamic_shared<unsigned> own, gs::view<const float> values, float low, float scale,
                 gs::view<float> sums) {
  const auto bins = static_cast<float>(sums.size());
  for (std::size_t k = t.thread_rank(); k < own.size(); k += t.block_size()) own[k] = 0;
  t.sync();
  for (auto i : t.grid_stride(values.size())) {
    const float position = (values[i] - low) * scale;
    if (position >= 0 && position < bins) gs::atomic_ref(own[static_cast<unsigned>(position)]).fetch_add(1u);
  }
  t.sync();
  for (std::size_t k = t.thread_rank(); k < own.size(); k += t.block_size())
    gs::atomic_ref(sums[k]).fetch_add(static_cast<float>(own[k]));
}

GS_FN void to_counts(gs::thread t, gs::view<const float> sums, gs::view<unsigned> counts) {
  for (auto k : t.grid_stride(counts.size())) counts[k] = static_cast<unsigned>(sums[k]);
}

void histogram(const gs::device_array<float>& values, float low, float high, const gs::device_array<unsigned>& counts) {
  const gs::device_array<float> sums(counts.shape());
  gs::launch<clear>({.grid = 4, .block = 256}, sums);
  gs::launch<count>({.grid = 64, .block = 256, .shared_bytes = counts.size() * sizeof(unsigned)}, values, low,
                    static_cast<float>(counts.size()) / (high - low), sums);
  gs::launch<to_counts>({.grid = 4, .block = 256}, sums, counts);
}
