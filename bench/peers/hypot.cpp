#include <algorithm>
#include <cmath>

#include "bench/peers/peers.h"
#include "bench/peers/vector_loop.h"

namespace bench::peers {

void hypot(std::span<const float> x, std::span<const float> y, std::span<float> out, stores how) {
  const float *a = x.data(), *b = y.data();
  vector_loop(out.data(), out.size(), how, [=](std::size_t i) {
    const float p = std::fabs(a[i]), q = std::fabs(b[i]);
    const float larger = std::max(p, q), t = std::min(p, q) / larger;
    return larger * std::sqrt(1 + t * t);
  });
}

}  // namespace bench::peers
