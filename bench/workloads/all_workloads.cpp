// Every workload of the suite, in the order of its rows.
#include <algorithm>

#include "bench/workloads/workloads.h"

namespace bench {

#if GRIDSTRIDE_CHECKED

// A flavour that observes every access is measured for that.
std::vector<workload> all_workloads(std::size_t elements) {
  return {instruments_accesses(elements / 30), instruments_threads(elements / 30), instruments_barriers(elements / 30)};
}

#else

std::vector<workload> numerical_workloads(std::size_t elements) {
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
          diffusion(elements < 10'000'000 ? 300 : 2000, false),
          diffusion(elements < 10'000'000 ? 300 : 2000, true),
          diffusion_threads(elements < 10'000'000 ? 300 : 2000),
          histogram(elements, 10, false),
          histogram(elements, 10, true),
          histogram(elements, 1000, false),
          histogram(elements, 1000, true),
          histogram_global(elements),
          polynomial_kernel(std::min<std::size_t>(elements, 250'000)),
          small_ufunc(),
          empty_launch(),
          queued_launches()};
}

std::vector<workload> all_workloads(std::size_t elements) {
  std::vector<workload> all = numerical_workloads(elements);
#if GRIDSTRIDE_VIEWER
  for (const std::size_t side : {1000, 2000}) all.push_back(viewer_diffusion(elements < 10'000'000 ? side / 10 : side));
  all.push_back(viewer_input(elements < 10'000'000 ? 200 : 2000));
  all.push_back(viewer_line(elements));
  all.push_back(viewer_heat_map(elements < 10'000'000 ? 200 : 2000));
#endif
  return all;
}

#endif

}  // namespace bench
