// A message that begins and returns at once, with an array that the program keeps.
// expect: static assertion failed: .*a request owns its array until wait\(\) hands it back: give std::move\(x\)
#include "runtime/world/world.h"

#ifdef MENDED
std::vector<float> use(std::vector<float>& x) { return gs::world().start_send(std::move(x), 1).wait(); }
#else
std::vector<float> use(std::vector<float>& x) { return gs::world().start_send(x, 1).wait(); }
#endif
