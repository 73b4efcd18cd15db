#include <execution>
#include <numeric>

#include "bench/peers/chunked_sum.h"
#include "bench/peers/peers.h"

namespace bench::peers {

float dot(std::span<const float> x, std::span<const float> y) {
  const float *a = x.data(), *b = y.data();
  return chunked_sum(x.size(), [=](std::size_t i) { return a[i] * b[i]; });
}

float dot_by_algorithm(std::span<const float> x, std::span<const float> y) {
  return std::transform_reduce(std::execution::par_unseq, x.begin(), x.end(), y.begin(), 0.0f);
}

}  // namespace bench::peers
