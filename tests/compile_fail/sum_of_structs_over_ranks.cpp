// A sum of elements that nobody has said how to add.
// expect: static assertion failed: .*sum, product, minimum and maximum are of numbers: give a function of two elements
#include "runtime/world/world.h"

struct interval {
  float from, to;
};
interval hull(interval a, interval b) { return {a.from < b.from ? a.from : b.from, a.to < b.to ? b.to : a.to}; }

#ifdef MENDED
auto use(const std::vector<interval>& x) { return gs::world().allreduce<hull>(x); }
#else
auto use(const std::vector<interval>& x) { return gs::world().allreduce(x); }
#endif
