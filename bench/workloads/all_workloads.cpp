// Every workload of the suite, in the order of its rows.
#include <algorithm>

#include "bench/workloads/workloads.h"

namespace bench {

std::vector<workload> all_workloads(std::size_t elements) {
  return {gaussian_pdf(elements),
          neural_layer(elements),
          add(elements),
          zero_suppress(elements),
          l2_norm(std::min<std::size_t>(elements, 1'000'000), 2),
          l2_norm(std::min<std::size_t>(elements / 1000, 10'000), 1000),
          reduce(elements),
          pi(elements),
          random_states(),
          gemm(),
          matmul(elements < 10'000'000 ? 256 : 1024),
          matmul_by_threads(256),
          fft2(elements < 10'000'000 ? 512 : 2048),
          sort(elements / 10),
          small_ufunc(),
          empty_launch(),
          queued_launches()};
}

}  // namespace bench
