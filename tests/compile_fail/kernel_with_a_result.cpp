// A kernel that returns something.
// expect: static assertion failed: .*launch<f>: a kernel returns void; write results to an array
#include "runtime/gs.h"

#ifdef MENDED
void kernel(gs::thread, gs::view<float> x) { x[0] = 1; }
#else
float kernel(gs::thread, gs::view<float> x) { return x[0]; }
#endif

void use(const gs::device_array<float>& x) { gs::launch<kernel>({}, x); }
