#include <execution>
#include <numeric>

#include "bench/peers/peers.h"

namespace bench::peers {

float reduce(std::span<const float> x) {
  const float* in = x.data();
  float sum = 0;
#pragma omp parallel for simd reduction(+ : sum) schedule(static)
  for (std::size_t i = 0; i < x.size(); ++i) sum += in[i];
  return sum;
}

float reduce_by_algorithm(std::span<const float> x) {
  return std::reduce(std::execution::par_unseq, x.begin(), x.end());
}

}  // namespace bench::peers
