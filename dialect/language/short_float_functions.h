// The functions of cuda_fp16.h and cuda_bf16.h that both types have: CUDA Math API, "Half Precision Intrinsics",
// "Bfloat16 Precision Intrinsics". GS_DIALECT_SHORT is the number's type, GS_DIALECT_PAIR that of two; each header
// includes this with its own.

inline GS_DIALECT_SHORT __hadd(GS_DIALECT_SHORT x, GS_DIALECT_SHORT y) { return x + y; }
inline GS_DIALECT_PAIR __hadd2(GS_DIALECT_PAIR x, GS_DIALECT_PAIR y) { return {x.x + y.x, x.y + y.y}; }
inline GS_DIALECT_SHORT __hsub(GS_DIALECT_SHORT x, GS_DIALECT_SHORT y) { return x - y; }
inline GS_DIALECT_PAIR __hsub2(GS_DIALECT_PAIR x, GS_DIALECT_PAIR y) { return {x.x - y.x, x.y - y.y}; }
inline GS_DIALECT_SHORT __hmul(GS_DIALECT_SHORT x, GS_DIALECT_SHORT y) { return x * y; }
inline GS_DIALECT_PAIR __hmul2(GS_DIALECT_PAIR x, GS_DIALECT_PAIR y) { return {x.x * y.x, x.y * y.y}; }
inline GS_DIALECT_SHORT __hdiv(GS_DIALECT_SHORT x, GS_DIALECT_SHORT y) { return x / y; }
inline GS_DIALECT_PAIR __h2div(GS_DIALECT_PAIR x, GS_DIALECT_PAIR y) { return {x.x / y.x, x.y / y.y}; }
// A product and a sum of such numbers, rounded once: in double the product is exact.
inline GS_DIALECT_SHORT __hfma(GS_DIALECT_SHORT x, GS_DIALECT_SHORT y, GS_DIALECT_SHORT z) {
  return std::fma(double{float(x)}, double{float(y)}, double{float(z)});
}
inline GS_DIALECT_PAIR __hfma2(GS_DIALECT_PAIR x, GS_DIALECT_PAIR y, GS_DIALECT_PAIR z) {
  return {__hfma(x.x, y.x, z.x), __hfma(x.y, y.y, z.y)};
}
inline GS_DIALECT_SHORT __hneg(GS_DIALECT_SHORT x) { return -x; }
inline GS_DIALECT_PAIR __hneg2(GS_DIALECT_PAIR x) { return {-x.x, -x.y}; }
inline GS_DIALECT_SHORT __habs(GS_DIALECT_SHORT x) { return GS_DIALECT_SHORT::of_bits(x.bits & 0x7fff); }
inline GS_DIALECT_PAIR __habs2(GS_DIALECT_PAIR x) { return {__habs(x.x), __habs(x.y)}; }
inline bool __heq(GS_DIALECT_SHORT x, GS_DIALECT_SHORT y) { return x == y; }
inline bool __hne(GS_DIALECT_SHORT x, GS_DIALECT_SHORT y) { return x != y; }
inline bool __hlt(GS_DIALECT_SHORT x, GS_DIALECT_SHORT y) { return x < y; }
inline bool __hgt(GS_DIALECT_SHORT x, GS_DIALECT_SHORT y) { return x > y; }
inline bool __hle(GS_DIALECT_SHORT x, GS_DIALECT_SHORT y) { return x <= y; }
inline bool __hge(GS_DIALECT_SHORT x, GS_DIALECT_SHORT y) { return x >= y; }
inline bool __hisnan(GS_DIALECT_SHORT x) { return x != x; }
inline bool __hisinf(GS_DIALECT_SHORT x) { return std::isinf(float(x)); }
inline GS_DIALECT_SHORT __hmax(GS_DIALECT_SHORT x, GS_DIALECT_SHORT y) { return std::fmax(float(x), float(y)); }
inline GS_DIALECT_SHORT __hmin(GS_DIALECT_SHORT x, GS_DIALECT_SHORT y) { return std::fmin(float(x), float(y)); }
inline GS_DIALECT_PAIR __hmax2(GS_DIALECT_PAIR x, GS_DIALECT_PAIR y) { return {__hmax(x.x, y.x), __hmax(x.y, y.y)}; }
inline GS_DIALECT_PAIR __hmin2(GS_DIALECT_PAIR x, GS_DIALECT_PAIR y) { return {__hmin(x.x, y.x), __hmin(x.y, y.y)}; }
inline GS_DIALECT_SHORT hexp(GS_DIALECT_SHORT x) { return std::exp(double{float(x)}); }
inline GS_DIALECT_SHORT hexp2(GS_DIALECT_SHORT x) { return std::exp2(double{float(x)}); }
inline GS_DIALECT_SHORT hlog(GS_DIALECT_SHORT x) { return std::log(double{float(x)}); }
inline GS_DIALECT_SHORT hlog2(GS_DIALECT_SHORT x) { return std::log2(double{float(x)}); }
inline GS_DIALECT_SHORT hlog10(GS_DIALECT_SHORT x) { return std::log10(double{float(x)}); }
inline GS_DIALECT_SHORT hsin(GS_DIALECT_SHORT x) { return std::sin(double{float(x)}); }
inline GS_DIALECT_SHORT hcos(GS_DIALECT_SHORT x) { return std::cos(double{float(x)}); }
inline GS_DIALECT_SHORT hsqrt(GS_DIALECT_SHORT x) { return std::sqrt(double{float(x)}); }
inline GS_DIALECT_SHORT hfloor(GS_DIALECT_SHORT x) { return std::floor(double{float(x)}); }
inline GS_DIALECT_SHORT hceil(GS_DIALECT_SHORT x) { return std::ceil(double{float(x)}); }
inline GS_DIALECT_SHORT htrunc(GS_DIALECT_SHORT x) { return std::trunc(double{float(x)}); }
inline GS_DIALECT_SHORT hrint(GS_DIALECT_SHORT x) { return std::rint(double{float(x)}); }
inline GS_DIALECT_SHORT htanh(GS_DIALECT_SHORT x) { return std::tanh(double{float(x)}); }
inline GS_DIALECT_SHORT hrsqrt(GS_DIALECT_SHORT x) { return 1 / std::sqrt(double{float(x)}); }
inline GS_DIALECT_SHORT hrcp(GS_DIALECT_SHORT x) { return 1 / double{float(x)}; }
inline GS_DIALECT_PAIR h2exp(GS_DIALECT_PAIR x) { return {hexp(x.x), hexp(x.y)}; }
inline GS_DIALECT_PAIR h2log(GS_DIALECT_PAIR x) { return {hlog(x.x), hlog(x.y)}; }
inline GS_DIALECT_PAIR h2sqrt(GS_DIALECT_PAIR x) { return {hsqrt(x.x), hsqrt(x.y)}; }
inline GS_DIALECT_PAIR h2rsqrt(GS_DIALECT_PAIR x) { return {hrsqrt(x.x), hrsqrt(x.y)}; }
inline GS_DIALECT_PAIR h2sin(GS_DIALECT_PAIR x) { return {hsin(x.x), hsin(x.y)}; }
inline GS_DIALECT_PAIR h2cos(GS_DIALECT_PAIR x) { return {hcos(x.x), hcos(x.y)}; }
inline GS_DIALECT_PAIR operator+(GS_DIALECT_PAIR x, GS_DIALECT_PAIR y) { return __hadd2(x, y); }
inline GS_DIALECT_PAIR operator-(GS_DIALECT_PAIR x, GS_DIALECT_PAIR y) { return __hsub2(x, y); }
inline GS_DIALECT_PAIR operator*(GS_DIALECT_PAIR x, GS_DIALECT_PAIR y) { return __hmul2(x, y); }
inline GS_DIALECT_PAIR operator/(GS_DIALECT_PAIR x, GS_DIALECT_PAIR y) { return __h2div(x, y); }
inline GS_DIALECT_PAIR& operator+=(GS_DIALECT_PAIR& x, GS_DIALECT_PAIR y) { return x = x + y; }
inline GS_DIALECT_PAIR& operator*=(GS_DIALECT_PAIR& x, GS_DIALECT_PAIR y) { return x = x * y; }
