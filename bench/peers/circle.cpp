#include "bench/peers/circle.h"

namespace bench::peers {
namespace {

// Eight generators side by side, in one register of 64 bytes or in as many as the machine needs.
constexpr std::size_t lanes = 8;
using words = std::uint64_t __attribute__((vector_size(8 * lanes)));
using integers = std::int64_t __attribute__((vector_size(8 * lanes)));
using doubles = double __attribute__((vector_size(8 * lanes)));
using floats = float __attribute__((vector_size(4 * lanes)));
using counts = std::int32_t __attribute__((vector_size(4 * lanes)));

struct generators {
  words s0, s1;
  counts inside;

  explicit generators(const stream_words* streams) : s0{}, s1{}, inside{} {
    for (std::size_t k = 0; k < lanes; ++k) s0[k] = streams[k].s0, s1[k] = streams[k].s1;
  }
  void uniform(floats& out) {
    const words result = s0 + s1, mixed = s0 ^ s1;
    s0 = ((s0 << 55) | (s0 >> 9)) ^ mixed ^ (mixed << 14);
    s1 = (mixed << 36) | (mixed >> 28);
#if defined(__x86_64__) && !defined(__AVX512DQ__)
    // Without an instruction for it, g++ converts one lane after another: two halves behind a double's exponent
    // instead.
    const words half = reinterpret_cast<words>(doubles{} + 0x1p-1), large = reinterpret_cast<words>(doubles{} + 0x1p31);
    const doubles low = reinterpret_cast<doubles>(((result >> 11) & 0xffffffff) | half) - 0x1p-1;
    const doubles high = reinterpret_cast<doubles>((result >> 43) | large) - 0x1p31;
    out = __builtin_convertvector(high + low, floats);
#else
    // The signed conversion is one instruction; 53 bits have no sign.
    const auto bits = reinterpret_cast<integers>(result >> 11);
    out = __builtin_convertvector(__builtin_convertvector(bits, doubles) * 0x1p-53, floats);
#endif
  }
  void throw_dart() {
    floats x, y;
    uniform(x);
    uniform(y);
    inside -= x * x + y * y <= 1;  // true is -1
  }
};

}  // namespace

// Each generator is a chain of dependent operations: `Chains` times eight of them keep the units of a core busy.
template <std::size_t Chains>
std::uint64_t darts_in_circle(std::span<const stream_words> streams, std::uint32_t darts) {
  static_assert(Chains == 1 || Chains == 2 || Chains == 4);
  std::uint64_t total = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : total)
  for (std::size_t first = 0; first < streams.size(); first += Chains * lanes) {
    const auto chain = [&](std::size_t c) { return generators(&streams[first + (c % Chains) * lanes]); };
    generators a = chain(0), b = chain(1), c = chain(2), d = chain(3);  // four names: g++ keeps an array in memory
    for (std::uint32_t k = 0; k < darts; ++k) {
      a.throw_dart();
      if constexpr (Chains >= 2) b.throw_dart();
      if constexpr (Chains >= 4) c.throw_dart(), d.throw_dart();
    }
    for (const generators* g : {&a, &b, &c, &d})
      for (std::size_t k = 0; k < lanes; ++k) total += static_cast<std::uint64_t>(g->inside[k]);
  }
  return total;
}
template std::uint64_t darts_in_circle<1>(std::span<const stream_words>, std::uint32_t);
template std::uint64_t darts_in_circle<2>(std::span<const stream_words>, std::uint32_t);
template std::uint64_t darts_in_circle<4>(std::span<const stream_words>, std::uint32_t);

void jump_one_by_one(std::uint64_t s, std::span<stream_words> streams) {
  stream_words state{s, s};
  for (stream_words& stream : streams) {
    stream = state;
    stream_words sum{0, 0};
    for (const std::uint64_t coefficients : {0xbeac0467eba5facbu, 0xd86b048b86aa9922u})
      for (int bit = 0; bit < 64; ++bit) {
        const std::uint64_t mask = 0 - (coefficients >> bit & 1), mixed = state.s0 ^ state.s1;
        sum.s0 ^= state.s0 & mask;
        sum.s1 ^= state.s1 & mask;
        state.s0 = ((state.s0 << 55) | (state.s0 >> 9)) ^ mixed ^ (mixed << 14);
        state.s1 = (mixed << 36) | (mixed >> 28);
      }
    state = sum;
  }
}

}  // namespace bench::peers
