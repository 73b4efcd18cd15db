#include "workshop/confine/confine.h"

#include <algorithm>

namespace confine {

void set_limits(const options& o) {
  for (const auto& [resource, value] : o.limits) {
    rlimit now{};
    if (getrlimit(static_cast<__rlimit_resource>(resource), &now) != 0) fail("read a limit");
    const rlim_t most = std::min<rlim_t>(value, now.rlim_max);  // an existing lower limit can't be raised
    rlimit limit{.rlim_cur = most, .rlim_max = most};
    // A program that has used up its time gets SIGXCPU one second before it is killed. The stack's soft limit stays
    // small, since it is also the size of every thread's stack.
    if (resource == RLIMIT_CPU && most > 1) limit.rlim_cur = most - 1;
    if (resource == RLIMIT_STACK) limit.rlim_cur = std::min<rlim_t>(rlim_t{8} << 20, most);
    if (setrlimit(static_cast<__rlimit_resource>(resource), &limit) != 0) fail("set a limit");
  }
}

}  // namespace confine
