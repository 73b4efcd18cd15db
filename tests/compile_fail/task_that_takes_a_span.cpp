// A task runs in another process, where a span of this one's memory means nothing.
// expect: static assertion failed: a task takes and returns numbers, structs, std::string and host arrays that own
#include <numeric>
#include <span>
#include <vector>

#include "runtime/world/world.h"

#ifdef MENDED
double sum(const std::vector<double>& x) { return std::reduce(x.begin(), x.end()); }
#else
double sum(std::span<const double> x) { return std::reduce(x.begin(), x.end()); }
#endif
double use(const std::vector<double>& x) { return gs::world().submit<sum>(x).result(); }
