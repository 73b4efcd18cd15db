// A device array where the kernel takes a value.
// expect: static assertion failed: .*a device array was given where the kernel takes a scalar
#include "runtime/gs.h"

void scale(gs::thread t, float factor, gs::view<float> x) {
  for (auto i : t.grid_stride(x.size())) x[i] *= factor;
}

#ifdef MENDED
void use(const gs::device_array<float>& x) { gs::launch<scale>({}, 2.0f, x); }
#else
void use(const gs::device_array<float>& x) { gs::launch<scale>({}, x, x); }
#endif
