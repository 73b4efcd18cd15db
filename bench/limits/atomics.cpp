#include "bench/limits/atomics.h"

#include <omp.h>

#include <atomic>
#include <numeric>
#include <vector>

namespace bench::limits {

std::uint64_t add_atomically(std::size_t times, sharing shared) {
  // A core's own counter is two lines away from the next: processors fetch lines in pairs.
  struct alignas(128) lines {
    std::uint64_t words[16];
  };
  constexpr std::size_t words = sizeof(lines) / sizeof(std::uint64_t), words_of_a_line = 64 / sizeof(std::uint64_t);
  std::vector<lines> counters(static_cast<std::size_t>(omp_get_max_threads()));
#pragma omp parallel
  {
    const auto core = static_cast<std::size_t>(omp_get_thread_num());
    const std::size_t word = shared == sharing::counter ? 0
                             : shared == sharing::line  ? core / words_of_a_line * words + core % words_of_a_line
                                                        : core * words;
    const std::atomic_ref counter(counters[word / words].words[word % words]);
    for (std::size_t i = 0; i < times; ++i) counter.fetch_add(1, std::memory_order_relaxed);
  }
  return std::accumulate(counters.begin(), counters.end(), std::uint64_t{0}, [](std::uint64_t sum, const lines& l) {
    return std::accumulate(std::begin(l.words), std::end(l.words), sum);
  });
}

}  // namespace bench::limits
