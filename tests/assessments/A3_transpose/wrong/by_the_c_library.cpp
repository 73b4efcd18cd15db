// expect: host_work or finding
// A kernel reads and writes everything in order, for the counters; the C library moves the elements.

#include "assessments/A3_transpose/task.h"

#include <strings.h>

GS_FN void look(gs::thread t, gs::view<const float> in, gs::view<float> out) {
  for (auto i : t.grid_stride(in.size())) out[i] = in[i];
}

// Of element i of the input, in the output.
GS_FN std::size_t place(std::size_t i, std::size_t rows, std::size_t columns, std::size_t channels) {
  const std::size_t pixel = i / channels;
  return (pixel % columns * rows + pixel / columns) * channels + i % channels;
}

GS_FN void move(gs::thread t, gs::view<const float, 3> in, gs::view<float, 3> out) {
  const std::size_t rows = in.extent(0), columns = in.extent(1), channels = in.extent(2);
  const float* from = in.data();
  float* to = out.data();
  for (auto i : t.grid_stride(rows * columns * channels)) {
    bcopy(from + i, to + place(i, rows, columns, channels), sizeof(float));
  }
}

void transpose(const gs::device_array<float>& in, const gs::device_array<float>& out) {
  if (in.size() == 0) return;
  gs::launch<look>({.grid = 8, .block = 256}, in.reshape({-1}), out.reshape({-1}));
  gs::launch<move>({.grid = 8, .block = 256}, in, out);
}
