// expect: host_work, graded whole
// CUDA C++ that moves the pixels on the host, between two copies.

#include <cuda_runtime.h>

#include <vector>

#include "assessments/A3_transpose/task.h"

void transpose(const gs::device_array<float>& in, const gs::device_array<float>& out) {
  const std::size_t rows = in.extent(0), columns = in.extent(1), channels = in.extent(2);
  std::vector<float> from(in.size()), to(in.size());
  cudaMemcpy(from.data(), in.data(), in.size() * sizeof(float), cudaMemcpyDeviceToHost);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j)
      for (std::size_t c = 0; c < channels; ++c)
        to[(j * rows + i) * channels + c] = from[(i * columns + j) * channels + c];
  cudaMemcpy(out.data(), to.data(), in.size() * sizeof(float), cudaMemcpyHostToDevice);
}
