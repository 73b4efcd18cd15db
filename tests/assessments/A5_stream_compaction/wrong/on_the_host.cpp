// expect: host_work, graded whole
// Takes the values home and keeps them there.

#include "assessments/A5_stream_compaction/task.h"

#include <vector>

void compact(const gs::device_array<float>& values, float threshold, const gs::device_array<float>& kept) {
  std::vector<float> mine;
  for (const float x : values.copy_to_host())
    if (x >= threshold) mine.push_back(x);
  gs::device_array<float> there = kept.reshape({-1});
  there.copy_from_host(mine);
}
