#pragma once
// Disturbance: the share of the machine that other programs used during a measurement.

#include <sys/types.h>

#include <vector>

namespace bench {

/// Watches from its construction on. The processes `own` don't count as a disturbance.
class disturbance {
 public:
  explicit disturbance(std::vector<pid_t> own = {});
  /// The share of all cores' time that other programs had, and that a hypervisor took away: 0.25 is one core of four.
  /// 0 where the system doesn't tell (it is read from /proc/stat).
  double share() const;

 private:
  std::vector<pid_t> own_;
  double others_, total_;  // seconds since the machine started, all cores together
};

}  // namespace bench
