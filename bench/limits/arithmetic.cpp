// Compiled with -ffp-contract=fast, so that `a * b + c` is one instruction.
#include "bench/limits/arithmetic.h"

namespace bench::limits {
namespace {

// The widest register there is. Ten chains hide a latency of four or five cycles on two units, and still fit into the
// 16 registers of AVX2 together with both factors.
#if defined(__AVX512F__)
constexpr int register_bytes = 64;
#elif defined(__AVX__)
constexpr int register_bytes = 32;
#else
constexpr int register_bytes = 16;
#endif
using vector = float __attribute__((vector_size(register_bytes)));
constexpr std::size_t width = register_bytes / sizeof(float), chains = 10;

}  // namespace

std::size_t operations_per_step() { return 2 * width * chains; }

float multiply_add(std::size_t steps) {
  const vector factor = vector{} + 0.5f, summand = vector{} + 1.0f;  // tends to 2, never to zero or infinity
  const auto advance = [&](vector& chain) {
    chain = chain * factor + summand;
    // Each chain stays in its own register: the compiler may neither drop steps nor merge chains.
#if defined(__x86_64__)
    asm volatile("" : "+x"(chain));
#elif defined(__aarch64__)
    asm volatile("" : "+w"(chain));
#endif
  };
  // Ten names, because g++ would keep an array on the stack.
  vector a{}, b = a + 1, c = a + 2, d = a + 3, e = a + 4, f = a + 5, g = a + 6, h = a + 7, i = a + 8, j = a + 9;
  for (std::size_t step = 0; step < steps; ++step) {
    advance(a), advance(b), advance(c), advance(d), advance(e);
    advance(f), advance(g), advance(h), advance(i), advance(j);
  }
  const vector sum = a + b + c + d + e + f + g + h + i + j;
  float result = 0;
  for (std::size_t k = 0; k < width; ++k) result += sum[k];
  return result;
}

float multiply_add_on_all_cores(std::size_t steps) {
  float result = 0;
#pragma omp parallel reduction(+ : result)
  result += multiply_add(steps);
  return result;
}

}  // namespace bench::limits
