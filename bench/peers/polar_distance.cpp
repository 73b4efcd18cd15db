#include <cmath>

#include "bench/peers/peers.h"
#include "bench/peers/vector_loop.h"
#include "bench/peers/vector_math.h"

namespace bench::peers {

void polar_distance(std::span<const float> radius, std::span<const float> angle, std::span<const float> other_radius,
                    std::span<const float> other_angle, std::span<float> out, stores how) {
  const float *r = radius.data(), *a = angle.data(), *s = other_radius.data(), *b = other_angle.data();
  vector_loop(out.data(), out.size(), how, [=](std::size_t i) {
    // g++ merges sine and cosine of one number into one call without a vector variant; + 0 makes it another number.
    const float dx = r[i] * cosf(a[i] + 0.0f) - s[i] * cosf(b[i] + 0.0f);
    const float dy = r[i] * sinf(a[i]) - s[i] * sinf(b[i]);
    return std::sqrt(dx * dx + dy * dy);
  });
}

}  // namespace bench::peers
