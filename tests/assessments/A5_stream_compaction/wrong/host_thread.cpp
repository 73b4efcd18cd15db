// expect: host_work
// A thread of the host reaches into the device's memory.

#include "assessments/A5_stream_compaction/task.h"

#include <thread>

void compact(const gs::device_array<float>& values, float threshold, const gs::device_array<float>& kept) {
  std::thread([&] {
    const float* const x = values.data();
    float* next = kept.data();
    for (std::size_t i = 0; i < values.size(); ++i)
      if (x[i] >= threshold) *next++ = x[i];
  }).join();
}
