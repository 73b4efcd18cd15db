#pragma once
// The limits of this machine, measured: the figures that every other figure is compared with.

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "bench/machine/machine.h"
#include "bench/measure/statistics.h"
#include "bench/measure/stopping_rule.h"

namespace bench {

struct limit {
  std::string name;
  std::string unit;  ///< "GB/s" (10^9 bytes), "GFLOP/s", "M/s" (10^6 a second) or "µs"
  double value;      ///< at the median time
  summary seconds;   ///< of one call
};

struct limit_options {
  std::size_t array_bytes;  ///< of each of the three arrays that go through memory
  stopping_rule rounds;
  double seconds;  ///< for each group measured side by side: memory, each cache, ...
};

/// Arrays far beyond the last level of cache: half as large again as it, at least `least`, and together at most half
/// of the free memory.
std::size_t limit_array_bytes(const machine& m, std::size_t least);

/// Copy, triad and read bandwidth of memory with streaming and with plain stores; read bandwidth of each cache; float32
/// peak of one core and of all; atomic additions by what the cores share; fork-join cost; of a GPU: copy bandwidth,
/// float32 peak, cost of a launch. Ten seconds or so. Calls `say` with what is being measured.
std::vector<limit> measure_limits(const machine& m, const limit_options& options,
                                  const std::function<void(const std::string&)>& say);

/// Bandwidth of memory and float32 peak alone: what measure_limits begins with and has in its midst.
std::vector<limit> measure_memory_and_arithmetic(const limit_options& options);

}  // namespace bench
