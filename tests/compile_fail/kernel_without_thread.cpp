// A kernel that doesn't take its thread.
// expect: static assertion failed: .*launch<f>: a kernel's first parameter is gs::thread
#include "runtime/gs.h"

#ifdef MENDED
void kernel(gs::thread, gs::view<float> x) { x[0] = 1; }
#else
void kernel(gs::view<float> x) { x[0] = 1; }
#endif

void use(const gs::device_array<float>& x) { gs::launch<kernel>({}, x); }
