// Every workload of the suite, in the order of its rows.
#include "bench/workloads/workloads.h"

namespace bench {

std::vector<workload> all_workloads(std::size_t elements) {
  return {gaussian_pdf(elements),
          neural_layer(elements),
          add(elements),
          zero_suppress(elements),
          histogram(elements, 10, false),
          histogram(elements, 10, true),
          histogram(elements, 1000, false),
          histogram(elements, 1000, true),
          histogram_global(elements),
          small_ufunc(),
          empty_launch(),
          queued_launches()};
}

}  // namespace bench
