// expect: wrong_answer
// Adds 0, and so -0 becomes 0.

#include "assessments/A3_transpose/task.h"

GS_FN void transpose_points(gs::thread t, gs::view<const float, 3> in, gs::view<float, 3> out) {
  for (auto row : t.grid_stride_y(in.extent(0)))
    for (auto column : t.grid_stride(in.extent(1)))
      for (unsigned c = 0; c < in.extent(2); ++c) out(column, row, c) = in(row, column, c) + 0.0f;
}

void transpose(const gs::device_array<float>& in, const gs::device_array<float>& out) {
  gs::launch<transpose_points>({.grid = {8, 32}, .block = {32, 8}}, in, out);
}
