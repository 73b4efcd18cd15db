// CUDA has no atomics on int16.
// expect: static assertion failed: .*gs::atomic_ref: the element is an integer or a floating-point number of 4 or 8
// bytes
#include "runtime/gs.h"

#ifdef MENDED
using count = std::int32_t;
#else
using count = std::int16_t;
#endif

GS_FN void kernel(gs::thread, gs::view<count> x) { gs::atomic_ref(x[0]).fetch_add(count{1}); }
void run(gs::device_array<count>& x) { gs::launch<kernel>({}, x); }
