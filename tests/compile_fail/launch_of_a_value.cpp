// launch of something that is no function.
// expect: static assertion failed: .*launch<f>: f must be a function
#include "runtime/gs.h"

void kernel(gs::thread) {}

#ifdef MENDED
void use() { gs::launch<kernel>({}); }
#else
void use() { gs::launch<3>({}); }
#endif
