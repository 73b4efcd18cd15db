// expect: host_work
// The host has the system carry the elements, which no hook sees.

#include "assessments/A3_transpose/task.h"

#include <unistd.h>

GS_FN void look(gs::thread t, gs::view<const float> in, gs::view<float> out) {
  for (auto i : t.grid_stride(in.size())) out[i] = in[i];
}

void transpose(const gs::device_array<float>& in, const gs::device_array<float>& out) {
  if (in.size() == 0) return;
  gs::launch<look>({.grid = 8, .block = 256}, in.reshape({-1}), out.reshape({-1}));
  gs::synchronize();
  int ends[2];
  if (pipe(ends) != 0) return;
  const std::size_t rows = in.extent(0), columns = in.extent(1), channels = in.extent(2);
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t column = 0; column < columns; ++column)
      for (std::size_t c = 0; c < channels; ++c)
        if (write(ends[1], in.data() + (row * columns + column) * channels + c, sizeof(float)) < 0 ||
            read(ends[0], out.data() + (column * rows + row) * channels + c, sizeof(float)) < 0)
          return;
  close(ends[0]);
  close(ends[1]);
}
