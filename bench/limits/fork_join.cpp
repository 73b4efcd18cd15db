#include "bench/limits/fork_join.h"

#include <tbb/parallel_for.h>

#include "bench/limits/bandwidth.h"

namespace bench::limits {

void fork_join_openmp() {
#pragma omp parallel
  asm volatile("" ::: "memory");  // an empty region would be removed
}

void fork_join_tbb() {
  tbb::parallel_for(
      std::size_t{0}, threads(),
      [](std::size_t) {
        asm volatile("" ::: "memory");
      },
      tbb::static_partitioner{});
}

}  // namespace bench::limits
