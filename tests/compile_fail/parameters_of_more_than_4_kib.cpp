// CUDA's limit for a kernel's parameters.
// expect: static assertion failed: .*launch<f>: the kernel's parameters take more than 4 KiB, CUDA's limit
#include "runtime/gs.h"

#ifdef MENDED
using weights = gs::constant_array<float, 1000>;
#else
using weights = gs::constant_array<float, 1025>;
#endif

GS_FN void kernel(gs::thread t, const weights w, gs::view<float> out) { out[t.grid()] = w[t.grid()]; }
void run(const weights& w, gs::device_array<float>& out) { gs::launch<kernel>({}, w, out); }
