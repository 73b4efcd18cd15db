// Lanes exchange words.
// expect: static assertion failed: .*lanes exchange values of 4 or 8 bytes
#include "runtime/gs.h"

#ifdef MENDED
using value = int;
#else
using value = char;
#endif

GS_FN void kernel(gs::thread t, gs::view<value> x) { x[t.grid()] = t.shuffle_down(x[t.grid()], 1); }
void run(gs::device_array<value>& x) { gs::launch<kernel>({}, x); }
