// expect: finding, graded whole
// <= for <: a column behind the last one.

#include "assessments/A3_transpose/task.h"

GS_FN void transpose_points(gs::thread t, gs::view<const float, 2> in, gs::view<float, 2> out) {
  for (auto row : t.grid_stride_y(in.extent(0)))
    for (auto column : t.grid_stride(in.extent(1) + 1)) out(column, row) = in(row, column);
}

void transpose(const gs::device_array<float>& in, const gs::device_array<float>& out) {
  gs::launch<transpose_points>({.grid = {8, 32}, .block = {32, 8}}, in, out);
}
