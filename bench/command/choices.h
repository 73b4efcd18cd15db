#pragma once
// The choices on the command line, and what follows from them.

#include <algorithm>
#include <cstddef>
#include <string>

#include "bench/measure/stopping_rule.h"

namespace bench {

constexpr std::size_t large_elements = 100'000'000, quick_elements = 1'000'000;

struct choices {
  std::string filter;
  bool json = false, list = false, quick = false, one_size = false, peers = false, cores = false, markdown = false;
  std::string serve;       ///< the workload to serve to another process of this program
  std::string against;     ///< a file
  std::size_t rounds = 0;  ///< 0: as many as the time allows
  double seconds = 280;    ///< with the preparation and the report, under five minutes

  std::size_t elements() const { return quick ? quick_elements : large_elements; }
  stopping_rule rule() const {
    if (quick) return stopping_rule::exactly(rounds > 0 ? std::min<std::size_t>(rounds, 3) : 3);
    return rounds > 0 ? stopping_rule::exactly(rounds) : stopping_rule{};
  }
};

}  // namespace bench
