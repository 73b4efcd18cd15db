// What doesn't fit into the shared memory of every device is refused before it runs.
// expect: static assertion failed: .*gs::shared<S>: a block has at most 48 KiB of shared memory
#include "runtime/gs.h"

#ifdef MENDED
constexpr std::size_t size = 48 * 1024 / 4;
#else
constexpr std::size_t size = 48 * 1024 / 4 + 1;
#endif

struct numbers {
  gs::tile<float, size> x;
};
GS_FN void kernel(gs::thread t, gs::shared<numbers> s) { s->x[t.thread_rank()] = 0; }
void run() { gs::launch<kernel>({}); }
