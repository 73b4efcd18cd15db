// A4 nbody. Copy this file to my/nbody.cpp and grade the copy, as often as you like:
//
//   ./gridstride grade A4 my/nbody.cpp
//
// What it must do is in assessments/A4_nbody/README.md.

#include "assessments/A4_nbody/task.h"

// Your kernels go here.

void advance([[maybe_unused]] const gs::device_array<float>& positions,
             [[maybe_unused]] const gs::device_array<float>& velocities,
             [[maybe_unused]] const gs::device_array<float>& masses, [[maybe_unused]] float softening,
             [[maybe_unused]] float step, [[maybe_unused]] unsigned steps,
             [[maybe_unused]] const gs::device_array<float>& positions_after,
             [[maybe_unused]] const gs::device_array<float>& velocities_after) {
  // Your work: `steps` steps, each from a state that nobody changes while others read it.
}
