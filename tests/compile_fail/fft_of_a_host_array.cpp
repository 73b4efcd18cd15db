// A host array for a transform on the device.
// expect: static assertion failed: .*an FFT takes a device array: copy the host array with gs::to_device
#include "runtime/gs.h"

#ifdef MENDED
auto use(const std::vector<std::complex<float>>& x) { return gs::fft(gs::to_device(x)); }
#else
auto use(const std::vector<std::complex<float>>& x) { return gs::fft(x); }
#endif
