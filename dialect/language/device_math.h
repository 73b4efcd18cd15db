#pragma once
// Functions of device code on numbers: CUDA Math API, "Single Precision Intrinsics", "Integer Intrinsics", "Type
// Casting Intrinsics" and the functions that C's library lacks. What CUDA computes to a few units in the last place is
// computed here by the C library, which is nearer. Intrinsics that round other than to the nearest are there for
// conversions only.

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "runtime/kernel/bits.h"
#include "runtime/math/vector_math.h"

#define GS_DIALECT_FN [[gnu::always_inline]] inline

// --- approximate functions, which are as exact here as the others ----------------------------------------------------

GS_DIALECT_FN float __expf(float x) { return expf(x); }
GS_DIALECT_FN float __exp10f(float x) { return exp10f(x); }
GS_DIALECT_FN float __logf(float x) { return logf(x); }
GS_DIALECT_FN float __log2f(float x) { return log2f(x); }
GS_DIALECT_FN float __log10f(float x) { return log10f(x); }
GS_DIALECT_FN float __sinf(float x) { return sinf(x); }
GS_DIALECT_FN float __cosf(float x) { return cosf(x); }
GS_DIALECT_FN float __tanf(float x) { return tanf(x); }
GS_DIALECT_FN float __tanhf(float x) { return tanhf(x); }
GS_DIALECT_FN float __powf(float x, float y) { return powf(x, y); }
GS_DIALECT_FN float __fdividef(float x, float y) { return x / y; }
GS_DIALECT_FN float fdividef(float x, float y) { return x / y; }
GS_DIALECT_FN float __saturatef(float x) { return x > 0 ? (x < 1 ? x : 1.0f) : 0.0f; }
GS_DIALECT_FN void __sincosf(float x, float* sine, float* cosine) {
  *sine = sinf(x);
  *cosine = cosf(x);
}

// --- functions that C's library lacks --------------------------------------------------------------------------------

GS_DIALECT_FN float rsqrtf(float x) { return 1 / sqrtf(x); }
GS_DIALECT_FN float rcbrtf(float x) { return 1 / cbrtf(x); }
GS_DIALECT_FN float rhypotf(float x, float y) { return 1 / hypotf(x, y); }
GS_DIALECT_FN float norm3df(float x, float y, float z) { return sqrtf(x * x + y * y + z * z); }
GS_DIALECT_FN float rnorm3df(float x, float y, float z) { return 1 / norm3df(x, y, z); }
GS_DIALECT_FN float normcdff(float x) { return erfcf(x * -0.70710678118654752440f) / 2; }
GS_DIALECT_FN double rsqrt(double x) { return 1 / sqrt(x); }
GS_DIALECT_FN double rcbrt(double x) { return 1 / cbrt(x); }
GS_DIALECT_FN double rhypot(double x, double y) { return 1 / hypot(x, y); }
GS_DIALECT_FN double norm3d(double x, double y, double z) { return sqrt(x * x + y * y + z * z); }
GS_DIALECT_FN double rnorm3d(double x, double y, double z) { return 1 / norm3d(x, y, z); }
GS_DIALECT_FN double normcdf(double x) { return erfc(x * -0.70710678118654752440) / 2; }

namespace dialect {

/// sin(pi x) and cos(pi x). What remains of x is exact, so that whole and half numbers give exact results.
template <class T>
T sin_of_pi_times(T x) {
  const T rest = std::fmod(x, T{2}), pi = static_cast<T>(3.14159265358979323846);
  if (rest == 0 || std::fabs(rest) == 1) return std::copysign(T{0}, x);
  if (std::fabs(rest) > T{0.5} && std::fabs(rest) < T{1.5}) return std::sin(pi * (std::copysign(T{1}, x) - rest));
  return std::fabs(rest) <= T{0.5} ? std::sin(pi * rest) : std::sin(pi * (rest - std::copysign(T{2}, x)));
}
template <class T>
T cos_of_pi_times(T x) {
  const T rest = std::fmod(std::fabs(x), T{2});
  return rest == T{0.5} || rest == T{1.5} ? T{0} : sin_of_pi_times(rest + T{0.5});
}

}  // namespace dialect

GS_DIALECT_FN float sinpif(float x) { return dialect::sin_of_pi_times(x); }
GS_DIALECT_FN float cospif(float x) { return dialect::cos_of_pi_times(x); }
GS_DIALECT_FN void sincospif(float x, float* sine, float* cosine) {
  *sine = sinpif(x);
  *cosine = cospif(x);
}
GS_DIALECT_FN double sinpi(double x) { return dialect::sin_of_pi_times(x); }
GS_DIALECT_FN double cospi(double x) { return dialect::cos_of_pi_times(x); }
GS_DIALECT_FN void sincospi(double x, double* sine, double* cosine) {
  *sine = sinpi(x);
  *cosine = cospi(x);
}

// --- rounded to the nearest, and never fused with what follows ------------------------------------------------------

namespace dialect {

/// The value, which the compiler doesn't contract with another operation.
template <class T>
GS_DIALECT_FN T rounded(T x) {
#if __has_builtin(__builtin_assoc_barrier)
  return __builtin_assoc_barrier(x);
#else
  const volatile T kept = x;
  return kept;
#endif
}

}  // namespace dialect

GS_DIALECT_FN float __fadd_rn(float x, float y) { return dialect::rounded(x + y); }
GS_DIALECT_FN float __fsub_rn(float x, float y) { return dialect::rounded(x - y); }
GS_DIALECT_FN float __fmul_rn(float x, float y) { return dialect::rounded(x * y); }
GS_DIALECT_FN float __fdiv_rn(float x, float y) { return x / y; }
GS_DIALECT_FN float __fsqrt_rn(float x) { return sqrtf(x); }
GS_DIALECT_FN float __frcp_rn(float x) { return 1 / x; }
GS_DIALECT_FN float __fmaf_rn(float x, float y, float z) { return fmaf(x, y, z); }
GS_DIALECT_FN double __dadd_rn(double x, double y) { return dialect::rounded(x + y); }
GS_DIALECT_FN double __dsub_rn(double x, double y) { return dialect::rounded(x - y); }
GS_DIALECT_FN double __dmul_rn(double x, double y) { return dialect::rounded(x * y); }
GS_DIALECT_FN double __ddiv_rn(double x, double y) { return x / y; }
GS_DIALECT_FN double __dsqrt_rn(double x) { return sqrt(x); }
GS_DIALECT_FN double __drcp_rn(double x) { return 1 / x; }
GS_DIALECT_FN double __fma_rn(double x, double y, double z) { return fma(x, y, z); }
GS_DIALECT_FN float __frsqrt_rn(float x) { return static_cast<float>(1 / sqrt(static_cast<double>(x))); }

// --- conversions -----------------------------------------------------------------------------------------------------

namespace dialect {

/// The integer nearest to a number that has been rounded already: NaN becomes 0, what is too large the largest.
template <class To, class From>
GS_DIALECT_FN To to_integer(From x) {
  constexpr From beyond = static_cast<From>(std::uint64_t{1} << (8 * sizeof(To) - 1 - std::is_signed_v<To>)) * 2;
  if (x != x) return 0;
  if (x >= beyond) return std::numeric_limits<To>::max();
  if (x <= static_cast<From>(std::numeric_limits<To>::min())) return std::numeric_limits<To>::min();
  return static_cast<To>(x);
}

}  // namespace dialect

GS_DIALECT_FN int __float2int_rn(float x) { return dialect::to_integer<int>(rintf(x)); }
GS_DIALECT_FN int __float2int_rz(float x) { return dialect::to_integer<int>(truncf(x)); }
GS_DIALECT_FN int __float2int_ru(float x) { return dialect::to_integer<int>(ceilf(x)); }
GS_DIALECT_FN int __float2int_rd(float x) { return dialect::to_integer<int>(floorf(x)); }
GS_DIALECT_FN unsigned int __float2uint_rn(float x) { return dialect::to_integer<unsigned int>(rintf(x)); }
GS_DIALECT_FN unsigned int __float2uint_rz(float x) { return dialect::to_integer<unsigned int>(truncf(x)); }
GS_DIALECT_FN unsigned int __float2uint_ru(float x) { return dialect::to_integer<unsigned int>(ceilf(x)); }
GS_DIALECT_FN unsigned int __float2uint_rd(float x) { return dialect::to_integer<unsigned int>(floorf(x)); }
GS_DIALECT_FN long long __float2ll_rn(float x) { return dialect::to_integer<long long>(rintf(x)); }
GS_DIALECT_FN long long __float2ll_rz(float x) { return dialect::to_integer<long long>(truncf(x)); }
GS_DIALECT_FN long long __float2ll_ru(float x) { return dialect::to_integer<long long>(ceilf(x)); }
GS_DIALECT_FN long long __float2ll_rd(float x) { return dialect::to_integer<long long>(floorf(x)); }
GS_DIALECT_FN unsigned long long __float2ull_rn(float x) { return dialect::to_integer<unsigned long long>(rintf(x)); }
GS_DIALECT_FN unsigned long long __float2ull_rz(float x) { return dialect::to_integer<unsigned long long>(truncf(x)); }
GS_DIALECT_FN unsigned long long __float2ull_ru(float x) { return dialect::to_integer<unsigned long long>(ceilf(x)); }
GS_DIALECT_FN unsigned long long __float2ull_rd(float x) { return dialect::to_integer<unsigned long long>(floorf(x)); }
GS_DIALECT_FN int __double2int_rn(double x) { return dialect::to_integer<int>(rint(x)); }
GS_DIALECT_FN int __double2int_rz(double x) { return dialect::to_integer<int>(trunc(x)); }
GS_DIALECT_FN int __double2int_ru(double x) { return dialect::to_integer<int>(ceil(x)); }
GS_DIALECT_FN int __double2int_rd(double x) { return dialect::to_integer<int>(floor(x)); }
GS_DIALECT_FN unsigned int __double2uint_rn(double x) { return dialect::to_integer<unsigned int>(rint(x)); }
GS_DIALECT_FN unsigned int __double2uint_rz(double x) { return dialect::to_integer<unsigned int>(trunc(x)); }
GS_DIALECT_FN unsigned int __double2uint_ru(double x) { return dialect::to_integer<unsigned int>(ceil(x)); }
GS_DIALECT_FN unsigned int __double2uint_rd(double x) { return dialect::to_integer<unsigned int>(floor(x)); }
GS_DIALECT_FN long long __double2ll_rn(double x) { return dialect::to_integer<long long>(rint(x)); }
GS_DIALECT_FN long long __double2ll_rz(double x) { return dialect::to_integer<long long>(trunc(x)); }
GS_DIALECT_FN long long __double2ll_ru(double x) { return dialect::to_integer<long long>(ceil(x)); }
GS_DIALECT_FN long long __double2ll_rd(double x) { return dialect::to_integer<long long>(floor(x)); }
GS_DIALECT_FN unsigned long long __double2ull_rn(double x) { return dialect::to_integer<unsigned long long>(rint(x)); }
GS_DIALECT_FN unsigned long long __double2ull_rz(double x) { return dialect::to_integer<unsigned long long>(trunc(x)); }
GS_DIALECT_FN unsigned long long __double2ull_ru(double x) { return dialect::to_integer<unsigned long long>(ceil(x)); }
GS_DIALECT_FN unsigned long long __double2ull_rd(double x) { return dialect::to_integer<unsigned long long>(floor(x)); }
GS_DIALECT_FN float __int2float_rn(int x) { return static_cast<float>(x); }
GS_DIALECT_FN double __int2double_rn(int x) { return static_cast<double>(x); }
GS_DIALECT_FN float __uint2float_rn(unsigned int x) { return static_cast<float>(x); }
GS_DIALECT_FN double __uint2double_rn(unsigned int x) { return static_cast<double>(x); }
GS_DIALECT_FN float __ll2float_rn(long long x) { return static_cast<float>(x); }
GS_DIALECT_FN double __ll2double_rn(long long x) { return static_cast<double>(x); }
GS_DIALECT_FN float __ull2float_rn(unsigned long long x) { return static_cast<float>(x); }
GS_DIALECT_FN double __ull2double_rn(unsigned long long x) { return static_cast<double>(x); }
GS_DIALECT_FN float __double2float_rn(double x) { return static_cast<float>(x); }
GS_DIALECT_FN int __float_as_int(float x) { return std::bit_cast<int>(x); }
GS_DIALECT_FN float __int_as_float(int x) { return std::bit_cast<float>(x); }
GS_DIALECT_FN unsigned int __float_as_uint(float x) { return std::bit_cast<unsigned int>(x); }
GS_DIALECT_FN float __uint_as_float(unsigned int x) { return std::bit_cast<float>(x); }
GS_DIALECT_FN long long __double_as_longlong(double x) { return std::bit_cast<long long>(x); }
GS_DIALECT_FN double __longlong_as_double(long long x) { return std::bit_cast<double>(x); }
GS_DIALECT_FN int __double2hiint(double x) { return static_cast<int>(std::bit_cast<std::uint64_t>(x) >> 32); }
GS_DIALECT_FN int __double2loint(double x) { return static_cast<int>(std::bit_cast<std::uint64_t>(x)); }
GS_DIALECT_FN double __hiloint2double(int high, int low) {
  return std::bit_cast<double>(std::uint64_t{static_cast<std::uint32_t>(high)} << 32 | static_cast<std::uint32_t>(low));
}

// --- bits and integers -----------------------------------------------------------------------------------------------

GS_DIALECT_FN int __popc(unsigned int x) { return gs::popcount(x); }
GS_DIALECT_FN int __popcll(unsigned long long x) { return gs::popcount(x); }
GS_DIALECT_FN int __clz(int x) { return gs::count_leading_zeros(static_cast<unsigned int>(x)); }
GS_DIALECT_FN int __clzll(long long x) { return gs::count_leading_zeros(static_cast<unsigned long long>(x)); }
GS_DIALECT_FN int __ffs(int x) { return gs::find_first_set(static_cast<unsigned int>(x)); }
GS_DIALECT_FN int __ffsll(long long x) { return gs::find_first_set(static_cast<unsigned long long>(x)); }
GS_DIALECT_FN unsigned int __brev(unsigned int x) { return gs::reverse_bits(x); }
GS_DIALECT_FN unsigned long long __brevll(unsigned long long x) { return gs::reverse_bits(x); }
/// The low 24 bits of each, multiplied; of __mul24 with their signs.
GS_DIALECT_FN int __mul24(int x, int y) {
  const auto low = [](int v) { return static_cast<int>(static_cast<unsigned int>(v) << 8) >> 8; };
  return static_cast<int>(static_cast<unsigned int>(low(x)) * static_cast<unsigned int>(low(y)));
}
GS_DIALECT_FN unsigned int __umul24(unsigned int x, unsigned int y) { return (x & 0xffffff) * (y & 0xffffff); }
GS_DIALECT_FN int __mulhi(int x, int y) { return static_cast<int>(static_cast<long long>(x) * y >> 32); }
GS_DIALECT_FN unsigned int __umulhi(unsigned int x, unsigned int y) {
  return static_cast<unsigned int>(static_cast<unsigned long long>(x) * y >> 32);
}
GS_DIALECT_FN long long __mul64hi(long long x, long long y) {
  __extension__ typedef __int128 int128;
  return static_cast<long long>(static_cast<int128>(x) * y >> 64);
}
GS_DIALECT_FN unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
  __extension__ typedef unsigned __int128 uint128;
  return static_cast<unsigned long long>(static_cast<uint128>(x) * y >> 64);
}
/// z + |x - y|.
GS_DIALECT_FN unsigned int __sad(int x, int y, unsigned int z) {
  return z + (x < y ? static_cast<unsigned int>(y) - static_cast<unsigned int>(x)
                    : static_cast<unsigned int>(x) - static_cast<unsigned int>(y));
}
GS_DIALECT_FN unsigned int __usad(unsigned int x, unsigned int y, unsigned int z) {
  return z + (x < y ? y - x : x - y);
}
/// The mean of two, rounded down and up.
GS_DIALECT_FN int __hadd(int x, int y) { return static_cast<int>((static_cast<long long>(x) + y) >> 1); }
GS_DIALECT_FN int __rhadd(int x, int y) { return static_cast<int>((static_cast<long long>(x) + y + 1) >> 1); }
GS_DIALECT_FN unsigned int __uhadd(unsigned int x, unsigned int y) {
  return static_cast<unsigned int>((static_cast<unsigned long long>(x) + y) >> 1);
}
GS_DIALECT_FN unsigned int __urhadd(unsigned int x, unsigned int y) {
  return static_cast<unsigned int>((static_cast<unsigned long long>(x) + y + 1) >> 1);
}
/// Four of the eight bytes of y:x, as the four digits of `selector` say; a digit's highest bit asks for the byte's
/// sign.
GS_DIALECT_FN unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int selector) {
  const std::uint64_t bytes = std::uint64_t{y} << 32 | x;
  unsigned int result = 0;
  for (unsigned k = 0; k < 4; ++k) {
    const unsigned digit = selector >> 4 * k & 0xf;
    const auto byte = static_cast<std::uint8_t>(bytes >> 8 * (digit & 7));
    result |= static_cast<unsigned int>(digit & 8 ? (byte & 0x80 ? 0xff : 0) : byte) << 8 * k;
  }
  return result;
}
/// The high and the low word of high:low, shifted; by at most 31 bits, or with `c` by at most 32.
GS_DIALECT_FN unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int shift) {
  return static_cast<unsigned int>((std::uint64_t{high} << 32 | low) << (shift & 31) >> 32);
}
GS_DIALECT_FN unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int shift) {
  return static_cast<unsigned int>((std::uint64_t{high} << 32 | low) >> (shift & 31));
}
GS_DIALECT_FN unsigned int __funnelshift_lc(unsigned int low, unsigned int high, unsigned int shift) {
  return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
GS_DIALECT_FN unsigned int __funnelshift_rc(unsigned int low, unsigned int high, unsigned int shift) {
  return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}
