#include "workshop/confine/confine.h"

#include <algorithm>

namespace confine {

void set_limits(const options& o) {
  for (const auto& [resource, value] : o.limits) {
    rlimit now{};
    if (getrlimit(static_cast<__rlimit_resource>(resource), &now) != 0) fail("read a limit");
    const rlim_t most = std::min<rlim_t>(value, now.rlim_max);  // nobody can raise what is lower already
    rlimit wanted{.rlim_cur = most, .rlim_max = most};
    // A program that has used up its time is told so one second before it is killed; a stack stays as small as it is,
    // so that those of threads, which follow it, don't take what they can.
    if (resource == RLIMIT_CPU && most > 1) wanted.rlim_cur = most - 1;
    if (resource == RLIMIT_STACK) wanted.rlim_cur = std::min<rlim_t>(rlim_t{8} << 20, most);
    if (setrlimit(static_cast<__rlimit_resource>(resource), &wanted) != 0) fail("set a limit");
  }
}

}  // namespace confine
