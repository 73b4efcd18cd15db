// Elements that only mean something in the process that has made them.
// expect: static assertion failed: .*ranks send elements byte by byte: these are not trivially copyable
#include "runtime/world/world.h"

#ifdef MENDED
void use(const std::vector<std::string>& x) { gs::world().send(x.front(), 1); }
#else
void use(const std::vector<std::string>& x) { gs::world().send(x, 1); }
#endif
