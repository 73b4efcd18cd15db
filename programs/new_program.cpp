#include "programs/new_program.h"

#include <fmt/format.h>

#include "dialect/rewrite/cuda_source.h"
#include "programs/program_files.h"
#include "runtime/core/error.h"
#include "runtime/core/printable.h"
#include "workshop/file_text.h"

namespace programs {

std::string new_program_text() {
  return R"(#include <cmath>
#include <cstdio>
#include <vector>

#include "runtime/gs.h"

GS_FN void wave(gs::thread t, gs::view<float> height) {
  for (auto i : t.grid_stride(height.size())) height[i] = std::sin(0.1f * static_cast<float>(i));
}

int main() {
  gs::device_array<float> height(1000);
  gs::launch<wave>({.grid = 4, .block = 256}, height);
  const std::vector<float> h = height.copy_to_host();
  std::printf("the wave is %.3f high at 16\n", h[16]);
}
)";
}

std::string new_cuda_program_text() {
  return R"(#include <cmath>
#include <cstdio>
#include <vector>

__global__ void wave(float* height, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) height[i] = sinf(0.1f * i);
}

int main() {
  const int n = 1000;
  float* height;
  cudaMalloc(&height, n * sizeof(float));
  wave<<<(n + 255) / 256, 256>>>(height, n);
  std::vector<float> h(n);
  cudaMemcpy(h.data(), height, n * sizeof(float), cudaMemcpyDeviceToHost);  // waits for the kernel
  cudaFree(height);
  std::printf("the wave is %.3f high at 16\n", h[16]);
}
)";
}

void write_new_program(const std::filesystem::path& file) {
  const std::string asked = "new " + gs::detail::printable(file.string());
  if (!is_source_name(file)) throw gs::error(asked, "its name isn't that of a C++ source", "let it end in .cpp");
  if (!workshop::write_text(file, dialect::is_cuda_name(file) ? new_cuda_program_text() : new_program_text(), asked,
                            workshop::existing::keep))
    throw gs::error(asked, "the file is there already", "choose another name, or delete it");
}

}  // namespace programs
