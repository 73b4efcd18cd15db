// A host array for a sort on the device.
// expect: static assertion failed: .*sort takes device arrays: copy the host array with gs::to_device
#include "runtime/gs.h"

#ifdef MENDED
auto use(const std::vector<int>& x) { return gs::sort(gs::to_device(x)); }
#else
auto use(const std::vector<int>& x) { return gs::sort(x); }
#endif
