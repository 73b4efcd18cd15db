#include "bench/peers/peers.h"

namespace bench::peers {

void polynomial(std::span<const float> x, int degree, std::span<float> out) {
  const float* in = x.data();
  float* to = out.data();
  const std::size_t n = out.size();
  // The compiler unrolls what it knows: the degree that the benchmark asks for.
#pragma omp parallel for simd schedule(static)
  for (std::size_t i = 0; i < n; ++i) {
    float sum = 1;
    if (degree == 15) {
      for (int k = 0; k < 15; ++k) sum = sum * in[i] + 1;
    } else {
      for (int k = 0; k < degree; ++k) sum = sum * in[i] + 1;
    }
    to[i] = sum;
  }
}

}  // namespace bench::peers
