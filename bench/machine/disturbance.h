#pragma once
// Disturbance: how much of the machine others used while something was measured.

namespace bench {

/// Watches from its construction on.
class disturbance {
 public:
  disturbance();
  /// The share of all cores' time that other programs had, and that a hypervisor took away: 0.25 is one core of four.
  /// 0 where the system doesn't tell (it is read from /proc/stat).
  double share() const;

 private:
  double others_, total_;  // seconds since the machine started, all cores together
};

}  // namespace bench
