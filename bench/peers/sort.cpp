#include <tbb/parallel_sort.h>

#include <algorithm>

#include "bench/peers/peers.h"

namespace bench::peers {

void parallel_sort(std::span<const float> x, std::span<float> out) {
  std::ranges::copy(x, out.begin());
  tbb::parallel_sort(out.begin(), out.end());
}

}  // namespace bench::peers
