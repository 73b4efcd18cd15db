#include "bench/peers/peers.h"
#include "bench/peers/vector_loop.h"
#include "bench/peers/vector_math.h"

namespace bench::peers {

void make_pulses(std::span<const float> time, float period, std::span<const float> height, std::span<float> out,
                 stores how) {
  const float *t = time.data(), *h = height.data();
  vector_loop(out.data(), out.size(), how, [=](std::size_t i) {
    const float tip = (sinf(6.28318531f * t[i] / period) - 0.3f) / 0.7f, drawn_out = tip * h[i];
    return tip > 0 ? drawn_out : 0;
  });
}

}  // namespace bench::peers
