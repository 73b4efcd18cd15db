#pragma once
// The result of gs::inspect: findings and counters.

#include <cstdint>
#include <exception>
#include <string>
#include <vector>

#include "runtime/core/config.h"
#include "runtime/instruments/results/counters.h"
#include "runtime/instruments/results/finding.h"

namespace gs::inline GS_FLAVOUR {

/// What gs::inspect found out.
struct inspection {
  std::vector<finding> findings;         ///< by file, line and column
  std::vector<line_counters> lines;      ///< by kernel, file, line, column
  std::vector<kernel_counters> kernels;  ///< by name and shape of the launch
  std::vector<line_copies> copies;       ///< by file and line
  std::vector<warp_picture> pictures;    ///< one per line and array, of the first whole warp that came by
  std::vector<instrument> instruments;   ///< those that were on
  std::string model;                     ///< the GPU whose limits were checked: "9.0"
  unsigned registers_per_thread = 0;     ///< that occupancy was worked out with; 0: not known
  std::uint64_t ufunc_calls = 0;         ///< of ufuncs and libraries, on the device
  unsigned orders = 1;                   ///< of blocks and threads, in which launches were observed
  std::vector<std::string> notes;        ///< a sentence for each kernel that wasn't observed in all of them: why
  double seconds = 0;                    ///< what it took
  std::exception_ptr failure;  ///< what left the inspected code or a kernel as an exception; null if nothing did

  bool clean() const { return findings.empty() && !failure; }  ///< whether nothing was found and nothing failed
};

}  // namespace gs::inline GS_FLAVOUR
