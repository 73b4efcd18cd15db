// Every workload of the suite, in the order of its rows.
#include <algorithm>

#include "bench/workloads/workloads.h"

namespace bench {

#if GRIDSTRIDE_CHECKED

// The checked flavour, which observes every access, has workloads of its own.
std::vector<workload> all_workloads(std::size_t elements) {
  return {instruments_accesses(elements / 30), instruments_threads(elements / 30), instruments_barriers(elements / 30)};
}

#else

// Where all cores have their data in the caches, and one core takes part.
workload in_cache(workload w) {
  w.name += "_in_cache";
  return w;
}

std::vector<workload> numerical_workloads(std::size_t elements) {
  const bool large = elements >= 10'000'000;
  const std::size_t million = std::min<std::size_t>(elements / 10, 1'000'000);
  return {gaussian_pdf(elements),
          in_cache(gaussian_pdf(million)),
          neural_layer(elements),
          in_cache(neural_layer(million)),
          add(elements),
          in_cache(add(million)),
          add_host_arrays(elements / 10),
          add_device_inputs(elements / 10),
          add_device_output(elements / 10),
          copy_to_device(elements),
          copy_to_host(elements),
          zero_suppress(elements),
          in_cache(zero_suppress(million)),
          hypot(million),
          polar_distance(million),
          make_pulses(million),
          l2_norm(million, 2),
          l2_norm(million / 100, 1000),
          matmul_of_each(million / 1000, 32),
          reduce(elements),
          in_cache(reduce(million)),
          product_and_reduce(elements),
          pi(elements),
          random_states(million / 5),
          transpose(large ? 4000 : 500, large ? 5000 : 600),
          gemm(large ? 1024 : 256),
          matmul(large ? 1024 : 256),
          matmul_by_threads(256),
          fft2(large ? 2048 : 512),
          fft_mask(large ? 720 : 180, large ? 1280 : 320),
          sort(elements / 10),
          group_by(million, 16),
          group_by(million, std::max<std::size_t>(million / 10, 16)),
          join(million, std::max<std::size_t>(million / 10, 16)),
          diffusion(elements < 10'000'000 ? 300 : 2000, false),
          diffusion(elements < 10'000'000 ? 300 : 2000, true),
          diffusion_steps(elements < 10'000'000 ? 300 : 2000),
          diffusion_threads(elements < 10'000'000 ? 300 : 2000),
          histogram(elements, 10, histogram_data::uniform),
          histogram(elements, 10, histogram_data::normal),
          histogram(elements, 10, histogram_data::skewed),
          histogram(elements, 1000, histogram_data::uniform),
          histogram(elements, 1000, histogram_data::normal),
          histogram(elements, 1000, histogram_data::skewed),
          histogram_global(elements),
          learning_slope(million),
          large ? learning_network(512, 784, 256) : learning_network(32, 49, 16),
          large ? learning_step(512, 784, 256) : learning_step(32, 49, 16),
          large ? learning_mixture(10'000, 2, 5) : learning_mixture(100, 2, 5),  // the sizes are GradBench's
          large ? learning_mixture(1000, 64, 200) : learning_mixture(100, 64, 5),
          large ? learning_clusters(100'000, 16, 100) : learning_clusters(1000, 16, 10),
          large ? learning_convolution(56, 64) : learning_convolution(7, 8),
          polynomial_kernel(std::min<std::size_t>(elements, 250'000)),
          small_ufunc(),
          empty_launch(),
          queued_launches(),
          python_small_ufunc(),
          python_ufunc(million),
          python_reduce(million),
          python_launch(),
          python_exchange(million)};
}

std::vector<workload> all_workloads(std::size_t elements) {
  std::vector<workload> suite = numerical_workloads(elements);
#ifdef GRIDSTRIDE_BENCH_COMPILE_PROGRAM
  suite.push_back(python_compile());
#endif
#ifdef GRIDSTRIDE_BENCH_CUDA_KERNELS
  const bool few = elements < 10'000'000;
  suite.push_back(dialect_add(elements));
  suite.push_back(dialect_matmul(few ? 64 : 512));
  suite.push_back(dialect_transpose(few ? 320 : 4096));
  suite.push_back(dialect_reduce(elements));
  suite.push_back(dialect_histogram(elements));
  suite.push_back(dialect_stencil(few ? 300 : 2000));
#endif
#if GRIDSTRIDE_VIEWER
  for (const std::size_t side : {1000, 2000})
    suite.push_back(viewer_diffusion(elements < 10'000'000 ? side / 10 : side));
  suite.push_back(viewer_input(elements < 10'000'000 ? 200 : 2000));
  suite.push_back(viewer_line(elements));
  suite.push_back(viewer_heat_map(elements < 10'000'000 ? 200 : 2000));
#endif
  return suite;
}

#endif

}  // namespace bench
