// A device array of doubles for a view of floats.
// expect: static assertion failed: .*the device array holds another type of element than the kernel's view
#include "runtime/gs.h"

void scale(gs::thread t, float factor, gs::view<float> x) {
  for (auto i : t.grid_stride(x.size())) x[i] *= factor;
}

#ifdef MENDED
using element = float;
#else
using element = double;
#endif

void use(const gs::device_array<element>& x) { gs::launch<scale>({}, 2.0f, x); }
