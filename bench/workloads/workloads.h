#pragma once
// The workloads of the suite. Each has a source file of its name.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bench/measure/run.h"
#include "bench/measure/workload.h"

namespace bench {

/// Elements of the large arrays; matrices, transforms, launches and small calls have sizes of their own, sorting has a
/// tenth.
std::vector<workload> all_workloads(std::size_t elements);

/// Those whose size can be chosen, each at several sizes, smallest first and all below that of all_workloads(elements).
std::vector<family> all_families(std::size_t elements);

workload gaussian_pdf(std::size_t elements);
workload neural_layer(std::size_t elements);
workload add(std::size_t elements);
workload add_host_arrays(std::size_t elements);
workload add_device_inputs(std::size_t elements);
workload add_device_output(std::size_t elements);
workload copy_to_device(std::size_t elements);
workload copy_to_host(std::size_t elements);
workload zero_suppress(std::size_t elements);
workload hypot(std::size_t elements);
workload polar_distance(std::size_t elements);
workload make_pulses(std::size_t elements);
workload pi(std::size_t elements);
workload random_states(std::size_t count);
workload l2_norm(std::size_t rows, std::size_t columns);
workload matmul_of_each(std::size_t count, std::size_t side);
workload reduce(std::size_t elements);
workload product_and_reduce(std::size_t elements);
workload transpose(std::size_t rows, std::size_t columns);
workload gemm(std::size_t side);
workload matmul(std::size_t side);
workload matmul_by_threads(std::size_t side);
workload fft2(std::size_t side);
workload fft_mask(std::size_t rows, std::size_t columns);
workload sort(std::size_t elements);
workload group_by(std::size_t rows, std::size_t groups);
workload join(std::size_t rows, std::size_t keys);
workload diffusion(std::size_t n, bool with_laplacian);
workload diffusion_steps(std::size_t n);
workload diffusion_threads(std::size_t n);
enum class histogram_data { uniform, normal, skewed };  // skewed: nine of ten values in one bin
workload histogram(std::size_t elements, std::uint32_t bins, histogram_data data);
workload histogram_global(std::size_t elements);
workload learning_slope(std::size_t elements);
workload learning_network(std::size_t batch, std::size_t inputs, std::size_t hidden);
workload learning_step(std::size_t batch, std::size_t inputs, std::size_t hidden);
workload learning_mixture(std::size_t points, std::size_t dimensions, std::size_t components);
workload learning_clusters(std::size_t points, std::size_t dimensions, std::size_t clusters);
workload learning_convolution(std::size_t side, std::size_t channels);
workload polynomial_kernel(std::size_t elements);
workload small_ufunc();
workload empty_launch();
workload queued_launches();
workload python_small_ufunc();
workload python_ufunc(std::size_t elements);
workload python_reduce(std::size_t elements);
workload python_launch();
workload python_exchange(std::size_t elements);
/// Kernels in CUDA C++ beside the same with gs; only in a build that compiles .cu files. The sides of matrices are
/// multiples of 32.
///@{
workload dialect_add(std::size_t elements);
workload dialect_matmul(std::size_t side);
workload dialect_transpose(std::size_t side);
workload dialect_reduce(std::size_t elements);
workload dialect_histogram(std::size_t elements);
workload dialect_stencil(std::size_t side);
///@}
/// Only in a build with what Python's module compiles with.
workload python_compile();
/// Only in a build with the viewer.
workload viewer_diffusion(std::size_t side);
workload viewer_input(std::size_t side);
workload viewer_line(std::size_t points);
workload viewer_heat_map(std::size_t side);

/// Of the checked flavour alone.
workload instruments_accesses(std::size_t accesses);
workload instruments_threads(std::size_t threads);
workload instruments_barriers(std::size_t barriers);

}  // namespace bench
