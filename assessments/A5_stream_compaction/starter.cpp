// A5 stream_compaction. Copy this file to my/stream_compaction.cpp and grade the copy, as often as you like:
//
//   ./gridstride grade A5 my/stream_compaction.cpp
//
// What it must do is in assessments/A5_stream_compaction/README.md.

#include "assessments/A5_stream_compaction/task.h"

// Your kernels go here.

void compact([[maybe_unused]] const gs::device_array<float>& values, [[maybe_unused]] float threshold,
             [[maybe_unused]] const gs::device_array<float>& kept) {
  // Your work: keep those that are at least `threshold`.
}
