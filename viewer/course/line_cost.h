#pragma once
// What a line's accesses cost beside their ideal: sectors in global memory, wavefronts in shared memory.

#include <cstdint>

#include "runtime/instruments/results/counters.h"

namespace viewer {

struct line_cost {
  std::uint64_t cost, ideal;
  const char* unit;

  /// Whether the line is marked: it costs noticeably more than it must.
  bool is_high() const { return times_ideal() > 1.1; }
  double times_ideal() const { return ideal > 0 ? static_cast<double>(cost) / static_cast<double>(ideal) : 1; }
};

inline line_cost cost_of(const gs::line_counters& l) {
  if (l.space == gs::memory_space::shared) return {l.wavefronts, l.ideal_wavefronts, "wavefronts"};
  return {l.sectors, l.ideal_sectors, "sectors"};
}

}  // namespace viewer
