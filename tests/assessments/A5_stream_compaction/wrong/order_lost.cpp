// expect: wrong_answer
// Each value takes the next place from one counter, and so the last comes first.

#include "assessments/A5_stream_compaction/task.h"

GS_FN void clear(gs::thread t, gs::view<unsigned> next) {
  if (t.grid() == 0) next[0] = 0;
}

GS_FN void keep(gs::thread t, gs::view<const float> values, float threshold, gs::view<float> kept,
                gs::view<unsigned> next) {
  for (auto i : t.grid_stride(values.size())) {
    const float x = values[values.size() - 1 - i];
    if (x >= threshold) kept[gs::atomic_ref(next[0]).fetch_add(1u)] = x;
  }
}

void compact(const gs::device_array<float>& values, float threshold, const gs::device_array<float>& kept) {
  const gs::device_array<unsigned> next(1);
  gs::launch<clear>({.grid = 1, .block = 32}, next);
  gs::launch<keep>({.grid = 64, .block = 256}, values, threshold, kept, next);
}
