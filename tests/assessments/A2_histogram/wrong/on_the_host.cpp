// expect: host_work, graded whole
// Takes the values home and counts them there.

#include "assessments/A2_histogram/task.h"

#include <vector>

void count(const std::vector<float>& values, float low, float scale, std::vector<unsigned>& counts) {
  for (const float x : values) {
    const float position = (x - low) * scale;
    if (position >= 0 && position < static_cast<float>(counts.size())) ++counts[static_cast<unsigned>(position)];
  }
}

void histogram(const gs::device_array<float>& values, float low, float high, const gs::device_array<unsigned>& counts) {
  std::vector<unsigned> mine(counts.size());
  count(values.copy_to_host(), low, static_cast<float>(mine.size()) / (high - low), mine);
  gs::device_array<unsigned> there = counts.reshape({-1});
  there.copy_from_host(mine);
}
