// Copying floats into a host array of doubles.
// expect: static assertion failed: .*copy_to_host: the host array holds another type of element
#include "runtime/gs.h"

#ifdef MENDED
using element = float;
#else
using element = double;
#endif

void use(const gs::device_array<float>& x, std::vector<element>& y) { x.copy_to_host(y); }
