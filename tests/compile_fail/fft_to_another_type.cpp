// A spectrum in another precision.
// expect: static assertion failed: .*the FFT's output holds another type of element than its result
#include "runtime/gs.h"

#ifdef MENDED
using element = std::complex<float>;
#else
using element = std::complex<double>;
#endif

void use(const gs::device_array<float>& x, gs::device_array<element>& y) { gs::rfft(x, gs::out(y)); }
