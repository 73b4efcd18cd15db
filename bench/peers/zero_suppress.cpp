#include "bench/peers/peers.h"
#include "bench/peers/vector_loop.h"

namespace bench::peers {

void zero_suppress(std::span<const std::int16_t> x, std::int16_t threshold, std::span<std::int16_t> out, stores how) {
  const std::int16_t* in = x.data();
  vector_loop(out.data(), out.size(), how, [=](std::size_t i) { return in[i] < threshold ? std::int16_t{0} : in[i]; });
}

}  // namespace bench::peers
