// Every workload of the suite, in the order of its rows.
#include "bench/workloads/workloads.h"

namespace bench {

std::vector<workload> all_workloads(std::size_t elements) {
  return {gaussian_pdf(elements),
          neural_layer(elements),
          add(elements),
          zero_suppress(elements),
          gemm(),
          fft2(elements < 10'000'000 ? 512 : 2048),
          sort(elements / 10),
          small_ufunc(),
          empty_launch(),
          queued_launches()};
}

}  // namespace bench
