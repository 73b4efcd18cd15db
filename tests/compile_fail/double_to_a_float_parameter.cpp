// A double literal for a kernel's float.
// expect: static assertion failed: .*values are never converted: write the type the kernel takes, 2\.0f for a float
#include "runtime/gs.h"

void scale(gs::thread t, float factor, gs::view<float> x) {
  for (auto i : t.grid_stride(x.size())) x[i] *= factor;
}

#ifdef MENDED
void use(const gs::device_array<float>& x) { gs::launch<scale>({}, 2.0f, x); }
#else
void use(const gs::device_array<float>& x) { gs::launch<scale>({}, 2.0, x); }
#endif
