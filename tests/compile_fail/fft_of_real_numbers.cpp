// The complex transform of real numbers.
// expect: static assertion failed: .*fft, ifft and irfft take complex numbers.*use rfft for real
#include "runtime/gs.h"

#ifdef MENDED
auto use(const gs::device_array<float>& x) { return gs::rfft(x); }
#else
auto use(const gs::device_array<float>& x) { return gs::fft(x); }
#endif
