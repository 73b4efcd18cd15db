#pragma once
// The workloads of the suite. Each has a source file of its name.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bench/measure/workload.h"

namespace bench {

/// Elements of the large arrays; matrices, transforms, launches and small calls have sizes of their own, sorting has a
/// tenth.
std::vector<workload> all_workloads(std::size_t elements);

workload gaussian_pdf(std::size_t elements);
workload neural_layer(std::size_t elements);
workload add(std::size_t elements);
workload zero_suppress(std::size_t elements);
workload pi(std::size_t elements);
workload random_states();
workload l2_norm(std::size_t rows, std::size_t columns);
workload reduce(std::size_t elements);
workload gemm();
workload matmul(std::size_t side);
workload matmul_by_threads(std::size_t side);
workload fft2(std::size_t side);
workload sort(std::size_t elements);
workload diffusion(std::size_t n, bool with_laplacian);
workload diffusion_threads(std::size_t n);
workload histogram(std::size_t elements, std::uint32_t bins, bool normal_data);
workload histogram_global(std::size_t elements);
workload polynomial_kernel(std::size_t elements);
workload small_ufunc();
workload empty_launch();
workload queued_launches();
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
