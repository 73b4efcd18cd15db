// A kernel that takes a view by reference: nothing of the host can be referred to on a device.
// expect: static assertion failed: .*a kernel takes its parameters by value
#include "runtime/gs.h"

#ifdef MENDED
void kernel(gs::thread, gs::view<float> x) { x[0] = 1; }
#else
void kernel(gs::thread, const gs::view<float>& x) { x[0] = 1; }
#endif

void use(const gs::device_array<float>& x) { gs::launch<kernel>({}, x); }
