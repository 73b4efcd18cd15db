#pragma once
// Bfloat16 precision: CUDA Math API. Numbers are converted, loaded and computed with; functions that round other than
// to the nearest aren't there.

#include "dialect/language/short_floats.h"
#include "dialect/language/vector_types.h"

using __nv_bfloat16 = ::dialect::short_float<::dialect::bfloat16_format>;
using __nv_bfloat162 = ::dialect::short_pair<::dialect::bfloat16_format>;

using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;

inline __nv_bfloat16 __float2bfloat16(float x) { return x; }
inline __nv_bfloat16 __float2bfloat16_rn(float x) { return x; }
inline __nv_bfloat16 __double2bfloat16(double x) { return x; }
inline float __bfloat162float(__nv_bfloat16 x) { return x; }
inline __nv_bfloat16 __int2bfloat16_rn(int x) { return x; }
inline int __bfloat162int_rn(__nv_bfloat16 x) { return static_cast<int>(std::rint(float(x))); }
inline int __bfloat162int_rz(__nv_bfloat16 x) { return static_cast<int>(float(x)); }
inline unsigned short __bfloat16_as_ushort(__nv_bfloat16 x) { return x.bits; }
inline __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits) { return __nv_bfloat16::of_bits(bits); }

inline __nv_bfloat162 __float2bfloat162_rn(float x) { return {x, x}; }
inline __nv_bfloat162 __floats2bfloat162_rn(float x, float y) { return {x, y}; }
inline __nv_bfloat162 __float22bfloat162_rn(float2 x) { return {x.x, x.y}; }
inline float2 __bfloat1622float2(__nv_bfloat162 x) { return {x.x, x.y}; }
inline __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 x) { return {x, x}; }
inline __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) { return {x, y}; }
inline __nv_bfloat162 make_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) { return {x, y}; }
inline __nv_bfloat16 __low2bfloat16(__nv_bfloat162 x) { return x.x; }
inline __nv_bfloat16 __high2bfloat16(__nv_bfloat162 x) { return x.y; }
inline __nv_bfloat162 __low2bfloat162(__nv_bfloat162 x) { return {x.x, x.x}; }
inline __nv_bfloat162 __high2bfloat162(__nv_bfloat162 x) { return {x.y, x.y}; }
inline float __low2float(__nv_bfloat162 x) { return x.x; }
inline float __high2float(__nv_bfloat162 x) { return x.y; }

#define GS_DIALECT_SHORT __nv_bfloat16
#define GS_DIALECT_PAIR __nv_bfloat162
#include "dialect/language/short_float_functions.h"
#undef GS_DIALECT_SHORT
#undef GS_DIALECT_PAIR
