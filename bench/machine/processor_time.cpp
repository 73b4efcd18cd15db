#include "bench/machine/processor_time.h"

#include <ctime>

namespace bench {
namespace {

double seconds_on(clockid_t clock) {
  timespec used{};
  if (clock_gettime(clock, &used) != 0) return 0;
  return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
}

}  // namespace

double processor_seconds(std::span<const pid_t> others) {
  double sum = seconds_on(CLOCK_PROCESS_CPUTIME_ID);
  for (const pid_t process : others)
    if (clockid_t clock{}; clock_getcpuclockid(process, &clock) == 0) sum += seconds_on(clock);
  return sum;
}

}  // namespace bench
