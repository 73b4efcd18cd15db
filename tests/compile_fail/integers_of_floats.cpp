// Random integers into an array of float.
// expect: static assertion failed: fill_integers draws integers; gs::fill_uniform draws real numbers
#include "runtime/gs.h"

#ifdef MENDED
using number = int;
#else
using number = float;
#endif

void fill(std::vector<number>& x) { gs::fill_integers(x, 1, 6, 1); }
