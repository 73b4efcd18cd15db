// expect: host_work or finding
// Nothing but assembly: no access can be seen.

#include "assessments/A3_transpose/task.h"

// Of element i of the input, in the output.
GS_FN std::size_t place(std::size_t i, std::size_t rows, std::size_t columns, std::size_t channels) {
  const std::size_t pixel = i / channels;
  return (pixel % columns * rows + pixel / columns) * channels + i % channels;
}

GS_FN void move(gs::thread t, gs::view<const float, 3> in, gs::view<float, 3> out) {
  const std::size_t rows = in.extent(0), columns = in.extent(1), channels = in.extent(2);
  for (auto i : t.grid_stride(rows * columns * channels)) {
    const float* from = in.data() + i;
    float* to = out.data() + place(i, rows, columns, channels);
    std::size_t bytes = sizeof(float);
    asm volatile("rep movsb" : "+S"(from), "+D"(to), "+c"(bytes) : : "memory");
  }
}

void transpose(const gs::device_array<float>& in, const gs::device_array<float>& out) {
  if (in.size() > 0) gs::launch<move>({.grid = 8, .block = 256}, in, out);
}
