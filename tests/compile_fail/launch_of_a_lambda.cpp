// launch of a function without a name, which nvcc can't make a kernel of.
// expect: static assertion failed: .*launch<f>: nvcc can't make a kernel of a lambda: name a function
#include "runtime/gs.h"

GS_FN void double_all(gs::thread t, gs::view<float> x) {
  for (auto i : t.grid_stride(x.size())) x[i] *= 2;
}

#ifdef MENDED
void use(const gs::device_array<float>& x) { gs::launch<double_all>({}, x); }
#else
void use(const gs::device_array<float>& x) {
  gs::launch<[](gs::thread t, gs::view<float> v) {
    for (auto i : t.grid_stride(v.size())) v[i] *= 2;
  }>({}, x);
}
#endif
