// A host array for a product on the device.
// expect: static assertion failed: .*gemm takes device arrays: copy the host arrays with gs::to_device
#include "runtime/gs.h"

#ifdef MENDED
void use(const gs::device_array<float>& a, const std::vector<float>& b) { gs::gemm(a, gs::to_device(b)); }
#else
void use(const gs::device_array<float>& a, const std::vector<float>& b) { gs::gemm(a, b); }
#endif
