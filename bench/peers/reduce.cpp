#include <execution>
#include <numeric>

#include "bench/peers/chunked_sum.h"
#include "bench/peers/peers.h"

namespace bench::peers {

float reduce(std::span<const float> x) {
  const float* in = x.data();
  return chunked_sum(x.size(), [=](std::size_t i) { return in[i]; });
}

float reduce_by_algorithm(std::span<const float> x) {
  return std::reduce(std::execution::par_unseq, x.begin(), x.end());
}

}  // namespace bench::peers
