#pragma once
// A sum of float32 numbers as a peer adds them.

#include <cstddef>

namespace bench::peers {

/// f(0) + ... + f(n - 1), on all cores. Four chains of additions on each, so that one addition needn't wait for the
/// previous; in chunks, so that no sum grows so large that small numbers are lost.
template <class F>
float chunked_sum(std::size_t n, F f) {
  constexpr std::size_t chunk = 8192, quarter = chunk / 4;
  const std::size_t chunks = n / chunk;
  float sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (std::size_t k = 0; k < chunks; ++k) {
    float a = 0, b = 0, c = 0, d = 0;
#pragma omp simd reduction(+ : a, b, c, d)
    for (std::size_t i = k * chunk; i < k * chunk + quarter; ++i) {
      a += f(i);
      b += f(i + quarter);
      c += f(i + 2 * quarter);
      d += f(i + 3 * quarter);
    }
    sum += (a + b) + (c + d);
  }
  for (std::size_t i = chunks * chunk; i < n; ++i) sum += f(i);
  return sum;
}

}  // namespace bench::peers
