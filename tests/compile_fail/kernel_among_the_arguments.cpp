// A kernel that is passed as an argument.
// expect: static assertion failed: .*launch: the kernel stands in angle brackets
#include "runtime/gs.h"

GS_FN void double_all(gs::thread t, gs::view<float> x) {
  for (auto i : t.grid_stride(x.size())) x[i] *= 2;
}

#ifdef MENDED
void use(const gs::device_array<float>& x) { gs::launch<double_all>({}, x); }
#else
void use(const gs::device_array<float>& x) {
  gs::launch({}, [](gs::thread t, gs::view<float> v) { v[t.grid()] = 0; }, x);
}
#endif
