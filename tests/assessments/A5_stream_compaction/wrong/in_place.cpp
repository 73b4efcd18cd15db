// expect: changed_input
// Moves what is kept to the front of the values, then copies the front.

#include "assessments/A5_stream_compaction/task.h"

GS_FN void move(gs::thread t, gs::view<float> values, float threshold) {
  if (t.grid() > 0) return;
  std::size_t next = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i] >= threshold) values[next++] = values[i];
}

GS_FN void take(gs::thread t, gs::view<const float> front, gs::view<float> kept) {
  for (auto k : t.grid_stride(kept.size())) kept[k] = front[k];
}

void compact(const gs::device_array<float>& values, float threshold, const gs::device_array<float>& kept) {
  gs::launch<move>({.grid = 1, .block = 32}, values, threshold);
  gs::launch<take>({.grid = 64, .block = 256}, values, kept);
}
