#pragma once
// A workload: one row of the suite. What is computed, how much of it, by whom, and the demands on our entrants.

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/measure/contest.h"

namespace bench {

/// A demand on our entrants; none applies to an entrant without a peer or a limit on its hardware.
struct demand {
  enum { of_peer, of_limit, in_seconds } measure;
  double at_most;    ///< our time as a multiple of the fastest peer's or limit's, or in seconds
  std::string text;  ///< "1.15 x peer"
};

struct workload {
  std::string name;          ///< matched by filters
  std::string text;          ///< one line: what is computed
  std::size_t elements = 0;  ///< of the result
  std::string dtype = {};    ///< of the elements, as NumPy names it
  double bytes = 0;          ///< through memory per call: inputs read once, output written once; 0: not meaningful
  double operations = 0;  ///< floating-point operations per call; 0 where functions such as exp make counting pointless
  std::size_t memory = 0;  ///< bytes the workload needs
  std::optional<demand> wanted = {};
  /// The same for entrants on one core and on a GPU.
  std::optional<demand> wanted_of_one_core = demand{demand::of_peer, 1.15, "1.15 x peer"};
  std::optional<demand> wanted_of_gpu = demand{demand::of_limit, 1 / 0.9, "90 % of limit"};

  /// Makes the inputs, checks that all entrants compute the same, and returns them. Throws bench::disagreement.
  std::function<contest()> prepare;

  void want_nothing() { wanted = wanted_of_one_core = wanted_of_gpu = std::nullopt; }
  const std::optional<demand>& wanted_with(hardware with) const {
    return with == hardware::gpu ? wanted_of_gpu : with == hardware::one_core ? wanted_of_one_core : wanted;
  }
};

}  // namespace bench
