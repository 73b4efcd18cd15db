// A host pointer for a kernel's view.
// expect: static assertion failed: .*a host pointer never reaches a kernel: pass a gs::device_array
#include "runtime/gs.h"

void scale(gs::thread t, float factor, gs::view<float> x) {
  for (auto i : t.grid_stride(x.size())) x[i] *= factor;
}

#ifdef MENDED
void use(const gs::device_array<float>& x) { gs::launch<scale>({}, 2.0f, x); }
#else
void use(float* x) { gs::launch<scale>({}, 2.0f, x); }
#endif
