// The real transform of complex numbers.
// expect: static assertion failed: .*rfft takes real numbers, float or double: use fft for complex ones
#include "runtime/gs.h"

#ifdef MENDED
auto use(const gs::device_array<std::complex<double>>& x) { return gs::fft(x); }
#else
auto use(const gs::device_array<std::complex<double>>& x) { return gs::rfft(x); }
#endif
