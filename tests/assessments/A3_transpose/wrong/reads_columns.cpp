// expect: criterion:coalesced
// Writes rows of pixels and reads columns of them: each read of a warp touches 32 sectors.

#include "assessments/A3_transpose/task.h"

GS_FN void transpose_points(gs::thread t, gs::view<const float, 3> in, gs::view<float, 3> out) {
  for (auto row : t.grid_stride_y(out.extent(0)))
    for (auto column : t.grid_stride(out.extent(1)))
      for (unsigned c = 0; c < in.extent(2); ++c) out(row, column, c) = in(column, row, c);
}

void transpose(const gs::device_array<float>& in, const gs::device_array<float>& out) {
  gs::launch<transpose_points>({.grid = {8, 32}, .block = {32, 8}}, in, out);
}
