// expect: criterion:coalesced
// memcpy of one element after the other, in the order of the input: it hides no sector.

#include "assessments/A3_transpose/task.h"

#include <cstring>

GS_FN void move(gs::thread t, gs::view<const float, 2> in, gs::view<float, 2> out) {
  const std::size_t rows = in.extent(0), columns = in.extent(1);
  const float* from = in.data();
  float* to = out.data();
  for (auto i : t.grid_stride(rows * columns))
    std::memcpy(to + i % columns * rows + i / columns, from + i, sizeof(float));
}

void transpose(const gs::device_array<float>& in, const gs::device_array<float>& out) {
  if (in.size() > 0) gs::launch<move>({.grid = 8, .block = 256}, in, out);
}
