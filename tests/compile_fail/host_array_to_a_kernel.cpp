// A host array for a kernel's view.
// expect: static assertion failed: .*a host array never reaches a kernel: copy it with gs::to_device
#include "runtime/gs.h"

void scale(gs::thread t, float factor, gs::view<float> x) {
  for (auto i : t.grid_stride(x.size())) x[i] *= factor;
}

#ifdef MENDED
void use(const std::vector<float>& x) { gs::launch<scale>({}, 2.0f, gs::to_device(x)); }
#else
void use(const std::vector<float>& x) { gs::launch<scale>({}, 2.0f, x); }
#endif
