// expect: host_work, graded whole
// Takes the picture home and brings it back.

#include <vector>

#include "assessments/A3_transpose/task.h"

void transpose(const gs::device_array<float>& in, const gs::device_array<float>& out) {
  const std::size_t rows = in.extent(0), columns = in.extent(1), channels = in.extent(2);
  const std::vector<float> mine = in.copy_to_host();
  std::vector<float> turned(mine.size());
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t column = 0; column < columns; ++column)
      for (std::size_t c = 0; c < channels; ++c)
        turned[(column * rows + row) * channels + c] = mine[(row * columns + column) * channels + c];
  out.reshape({-1}).copy_from_host(turned);
}
