#include <execution>
#include <numeric>

#include "bench/peers/peers.h"

namespace bench::peers {

float dot(std::span<const float> x, std::span<const float> y) {
  const float *a = x.data(), *b = y.data();
  float sum = 0;
#pragma omp parallel for simd reduction(+ : sum) schedule(static)
  for (std::size_t i = 0; i < x.size(); ++i) sum += a[i] * b[i];
  return sum;
}

float dot_by_algorithm(std::span<const float> x, std::span<const float> y) {
  return std::transform_reduce(std::execution::par_unseq, x.begin(), x.end(), y.begin(), 0.0f);
}

}  // namespace bench::peers
