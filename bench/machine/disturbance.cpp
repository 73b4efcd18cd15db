#include "bench/machine/disturbance.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <tuple>
#include <utility>

#include "bench/machine/processor_time.h"

namespace bench {
namespace {

// Seconds that cores worked for other programs, and all seconds; both summed over the cores.
std::pair<double, double> used_and_total(std::span<const pid_t> own) {
  std::ifstream file("/proc/stat");
  std::string word;
  double user = 0, nice = 0, system = 0, idle = 0, waiting = 0, interrupt = 0, soft_interrupt = 0, stolen = 0;
  if (!(file >> word >> user >> nice >> system >> idle >> waiting >> interrupt >> soft_interrupt >> stolen))
    return {0, 0};
  const auto ticks = static_cast<double>(sysconf(_SC_CLK_TCK));
  const double used = (user + nice + system + interrupt + soft_interrupt + stolen) / ticks;
  const double total = used + (idle + waiting) / ticks;
  return {used - processor_seconds(own), total};
}

}  // namespace

disturbance::disturbance(std::vector<pid_t> own) : own_(std::move(own)) {
  std::tie(others_, total_) = used_and_total(own_);
}

double disturbance::share() const {
  const auto [others, total] = used_and_total(own_);
  // Ticks are 10 ms: over short times the difference may even be negative.
  return total > total_ ? std::clamp((others - others_) / (total - total_), 0.0, 1.0) : 0;
}

}  // namespace bench
