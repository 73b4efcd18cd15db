// Uniform numbers in [0, 1) as integers.
// expect: static assertion failed: uniform numbers are float or double; gs::fill_integers draws whole numbers
#include "runtime/gs.h"

#ifdef MENDED
auto make() { return gs::uniform<float>(10, 1); }
#else
auto make() { return gs::uniform<int>(10, 1); }
#endif
