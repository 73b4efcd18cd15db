// Nobody initialises shared memory: a struct that promises it is refused.
// expect: static assertion failed: .*gs::shared<S>: S is a plain struct of numbers and gs::tile, without initial values
#include "runtime/gs.h"

struct counts {
#ifdef MENDED
  int total;
#else
  int total = 0;
#endif
};
GS_FN void kernel(gs::thread, gs::shared<counts> s) { s->total = 1; }
void run() { gs::launch<kernel>({}); }
