#pragma once
// Half precision: CUDA Math API. Numbers are converted, loaded and computed with; functions that round other than to
// the nearest aren't there.

#include "dialect/language/short_floats.h"
#include "dialect/language/vector_types.h"

using __half = ::dialect::short_float<::dialect::half_format>;
using __half2 = ::dialect::short_pair<::dialect::half_format>;

using half = __half;
using half2 = __half2;
using __nv_half = __half;
using __nv_half2 = __half2;

inline __half __float2half(float x) { return x; }
inline __half __float2half_rn(float x) { return x; }
inline __half __double2half(double x) { return x; }
inline float __half2float(__half x) { return x; }
inline __half __int2half_rn(int x) { return x; }
inline int __half2int_rn(__half x) { return static_cast<int>(std::rint(float(x))); }
inline int __half2int_rz(__half x) { return static_cast<int>(float(x)); }
inline unsigned short __half_as_ushort(__half x) { return x.bits; }
inline __half __ushort_as_half(unsigned short bits) { return __half::of_bits(bits); }

inline __half2 __float2half2_rn(float x) { return {x, x}; }
inline __half2 __floats2half2_rn(float x, float y) { return {x, y}; }
inline __half2 __float22half2_rn(float2 x) { return {x.x, x.y}; }
inline float2 __half22float2(__half2 x) { return {x.x, x.y}; }
inline __half2 __half2half2(__half x) { return {x, x}; }
inline __half2 __halves2half2(__half x, __half y) { return {x, y}; }
inline __half2 make_half2(__half x, __half y) { return {x, y}; }
inline __half __low2half(__half2 x) { return x.x; }
inline __half __high2half(__half2 x) { return x.y; }
inline __half2 __low2half2(__half2 x) { return {x.x, x.x}; }
inline __half2 __high2half2(__half2 x) { return {x.y, x.y}; }
inline float __low2float(__half2 x) { return x.x; }
inline float __high2float(__half2 x) { return x.y; }

#define GS_DIALECT_SHORT __half
#define GS_DIALECT_PAIR __half2
#include "dialect/language/short_float_functions.h"
#undef GS_DIALECT_SHORT
#undef GS_DIALECT_PAIR
