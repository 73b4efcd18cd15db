// expect: host_work or finding
// Nothing but assembly: no access can be seen.

#include "assessments/A3_transpose/task.h"

GS_FN void move(gs::thread t, gs::view<const float, 2> in, gs::view<float, 2> out) {
  const std::size_t rows = in.extent(0), columns = in.extent(1);
  for (auto i : t.grid_stride(rows * columns)) {
    const float* from = in.data() + i;
    float* to = out.data() + i % columns * rows + i / columns;
    std::size_t bytes = sizeof(float);
    asm volatile("rep movsb" : "+S"(from), "+D"(to), "+c"(bytes) : : "memory");
  }
}

void transpose(const gs::device_array<float>& in, const gs::device_array<float>& out) {
  if (in.size() > 0) gs::launch<move>({.grid = 8, .block = 256}, in, out);
}
