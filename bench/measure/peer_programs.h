#pragma once
// The outside peers of this suite: the scripts in bench/peers/, run by the distribution's Python, or by that of
// the virtual environment build/peers.

#include <memory>
#include <string>
#include <vector>

#include "bench/measure/outside_peer.h"

namespace bench {

struct peer_programs {
  std::vector<std::shared_ptr<outside_peer>> present;
  std::vector<std::string> absent;  ///< a sentence for each that can't be started: what is missing, how to get it
};

/// Numba, NumPy, SciPy, PoCL, JAX and PyTorch, not started yet.
std::vector<std::shared_ptr<outside_peer>> all_peer_programs();

/// Starts them all and keeps those that answer.
peer_programs start(const std::vector<std::shared_ptr<outside_peer>>& programs);

}  // namespace bench
