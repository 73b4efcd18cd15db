// One argument too few.
// expect: static assertion failed: .*launch<f>: the number of arguments differs from the kernel's parameters
#include "runtime/gs.h"

void scale(gs::thread t, float factor, gs::view<float> x) {
  for (auto i : t.grid_stride(x.size())) x[i] *= factor;
}

#ifdef MENDED
void use(const gs::device_array<float>& x) { gs::launch<scale>({}, 2.0f, x); }
#else
void use(const gs::device_array<float>& x) { gs::launch<scale>({}, x); }
#endif
