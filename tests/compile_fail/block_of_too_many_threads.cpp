// A block has at most 1024 threads, also where its shape is a type.
// expect: static assertion failed: .*gs::block<X, Y, Z>: 1 to 1024 threads, and Z at most 64
#include "runtime/gs.h"

#ifdef MENDED
constexpr unsigned rows = 32;
#else
constexpr unsigned rows = 33;
#endif

GS_FN void kernel(gs::block<32, rows> block, gs::view<float> out) {
  block.each([&](auto t) { out[t.rank()] = 0; });
}
void run(gs::device_array<float>& out) { gs::launch<kernel>({.grid = 1}, out); }
