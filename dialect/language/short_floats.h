#pragma once
// Floating-point numbers of 16 bits, as bits: half (IEEE 754 binary16) and bfloat16 (the upper half of a float).
// Rounded to the nearest, ties to even.

#include <algorithm>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>

#if defined(__F16C__)
#include <immintrin.h>
#endif

namespace dialect {

/// A format of 16 bits with that many bits of mantissa.
template <int Mantissa>
struct short_format {
  static constexpr int exponent_bits = 15 - Mantissa, bias = (1 << (exponent_bits - 1)) - 1;
  static constexpr std::uint16_t infinity = ((1 << exponent_bits) - 1) << Mantissa, not_a_number = 0x7fff;

  static std::uint16_t from(double x) {
    const auto sign = static_cast<std::uint16_t>(std::signbit(x) ? 0x8000 : 0);
    const double size = std::fabs(x);
    if (size != size) return not_a_number;
    if (size == std::numeric_limits<double>::infinity()) return sign | infinity;
    // The distance of neighbours at this size; below the smallest normal number it is the same.
    const int exponent = size == 0 ? 1 - bias : std::max(std::ilogb(size), 1 - bias);
    const double units = std::rint(std::ldexp(size, Mantissa - exponent));
    // Units beyond the mantissa carry into the exponent, as they should.
    const long bits = (static_cast<long>(exponent + bias - 1) << Mantissa) + static_cast<long>(units);
    return static_cast<std::uint16_t>(sign | (bits < infinity ? bits : infinity));
  }
  static float to_float(std::uint16_t bits) {
    const int exponent = (bits & infinity) >> Mantissa, mantissa = bits & ((1 << Mantissa) - 1);
    float size = std::ldexp(static_cast<float>(exponent == 0 ? mantissa : mantissa | 1 << Mantissa),
                            (exponent == 0 ? 1 : exponent) - bias - Mantissa);
    if ((bits & infinity) == infinity)
      size = mantissa ? std::numeric_limits<float>::quiet_NaN() : std::numeric_limits<float>::infinity();
    return bits & 0x8000 ? -size : size;
  }
};

struct half_format : short_format<10> {
#if defined(__F16C__)
  using short_format::from;
  static std::uint16_t from(float x) {
    return x != x ? not_a_number : static_cast<std::uint16_t>(_cvtss_sh(x, _MM_FROUND_TO_NEAREST_INT));
  }
  static float to_float(std::uint16_t bits) { return _cvtsh_ss(bits); }
#endif
};

struct bfloat16_format : short_format<7> {
  using short_format::from;
  static std::uint16_t from(float x) {
    if (x != x) return not_a_number;
    const auto bits = std::bit_cast<std::uint32_t>(x);
    return static_cast<std::uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
  }
  static float to_float(std::uint16_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }
};

/// A number in such a format, which computes as a GPU does: each operation rounds once.
template <class Format>
struct short_float {
  std::uint16_t bits;

  short_float() = default;
  short_float(float x) : bits(Format::from(x)) {}   // NOLINT: as CUDA's converts
  short_float(double x) : bits(Format::from(x)) {}  // NOLINT
  template <std::integral I>
  short_float(I x) : bits(Format::from(static_cast<double>(x))) {}  // NOLINT
  static short_float of_bits(std::uint16_t b) {
    short_float x;
    x.bits = b;
    return x;
  }
  operator float() const { return Format::to_float(bits); }  // NOLINT

  // Float has more than twice the bits and two more, so a rounded result that is rounded again is the right one (S.
  // Figueroa, "When is double rounding innocuous?", SIGNUM Newsletter 30, 1995).
  friend short_float operator+(short_float x, short_float y) { return float(x) + float(y); }
  friend short_float operator-(short_float x, short_float y) { return float(x) - float(y); }
  friend short_float operator*(short_float x, short_float y) { return float(x) * float(y); }
  friend short_float operator/(short_float x, short_float y) { return float(x) / float(y); }
  friend short_float operator-(short_float x) { return of_bits(x.bits ^ 0x8000); }
  friend short_float operator+(short_float x) { return x; }
  friend short_float& operator+=(short_float& x, short_float y) { return x = x + y; }
  friend short_float& operator-=(short_float& x, short_float y) { return x = x - y; }
  friend short_float& operator*=(short_float& x, short_float y) { return x = x * y; }
  friend short_float& operator/=(short_float& x, short_float y) { return x = x / y; }
  friend bool operator==(short_float x, short_float y) { return float(x) == float(y); }
  friend bool operator!=(short_float x, short_float y) { return float(x) != float(y); }
  friend bool operator<(short_float x, short_float y) { return float(x) < float(y); }
  friend bool operator>(short_float x, short_float y) { return float(x) > float(y); }
  friend bool operator<=(short_float x, short_float y) { return float(x) <= float(y); }
  friend bool operator>=(short_float x, short_float y) { return float(x) >= float(y); }
};

template <class Format>
struct alignas(4) short_pair {
  short_float<Format> x, y;
};

}  // namespace dialect
