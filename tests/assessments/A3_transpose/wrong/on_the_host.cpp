// expect: host_work, graded whole
// Takes the matrix home and brings it back.

#include <vector>

#include "assessments/A3_transpose/task.h"

void transpose(const gs::device_array<float>& in, const gs::device_array<float>& out) {
  const std::size_t rows = in.extent(0), columns = in.extent(1);
  const std::vector<float> mine = in.copy_to_host();
  std::vector<float> turned(mine.size());
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t column = 0; column < columns; ++column) turned[column * rows + row] = mine[row * columns + column];
  out.reshape({-1}).copy_from_host(turned);
}
