#pragma once
// Shared by the plots of timings: the unit of their times, and the names of entrants.

#include <string>

namespace viewer {

struct time_unit {
  const char* name;
  double per_second;
};
/// The unit in which the largest of the times is at least 1.
inline time_unit unit_for(double seconds) {
  if (seconds >= 1) return {"s", 1};
  if (seconds >= 1e-3) return {"ms", 1e3};
  if (seconds >= 1e-6) return {"µs", 1e6};
  return {"ns", 1e9};
}

/// "engine" is ours; others say what they are: "peer: OpenMP".
inline std::string shown_name(const std::string& name, const std::string& role) {
  return role == "ours" ? name : role + ": " + name;
}

}  // namespace viewer
