// expect: criterion:coalesced
// One thread moves everything: a sector for each float.

#include "assessments/A3_transpose/task.h"

GS_FN void transpose_points(gs::thread, gs::view<const float, 3> in, gs::view<float, 3> out) {
  for (std::size_t row = 0; row < in.extent(0); ++row)
    for (std::size_t column = 0; column < in.extent(1); ++column)
      for (unsigned c = 0; c < in.extent(2); ++c) out(column, row, c) = in(row, column, c);
}

void transpose(const gs::device_array<float>& in, const gs::device_array<float>& out) {
  gs::launch<transpose_points>({.grid = 1, .block = 1}, in, out);
}
