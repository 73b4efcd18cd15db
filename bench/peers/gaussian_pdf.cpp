#include "bench/peers/peers.h"
#include "bench/peers/vector_loop.h"
#include "bench/peers/vector_math.h"

namespace bench::peers {

void gaussian_pdf(std::span<const float> x, float mean, float sigma, std::span<float> out, stores how) {
  constexpr float sqrt_2_pi = 2.5066282746310002f;
  const float* in = x.data();
  vector_loop(out.data(), out.size(), how, [=](std::size_t i) {
    const float z = (in[i] - mean) / sigma;
    return expf(-0.5f * z * z) / (sigma * sqrt_2_pi);
  });
}

}  // namespace bench::peers
