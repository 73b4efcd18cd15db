#pragma once
// The workloads of the suite. Each has a source file of its name.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bench/measure/workload.h"

namespace bench {

/// Elements of the large arrays; the launches and the small calls have a size of their own.
std::vector<workload> all_workloads(std::size_t elements);

workload gaussian_pdf(std::size_t elements);
workload neural_layer(std::size_t elements);
workload add(std::size_t elements);
workload zero_suppress(std::size_t elements);
workload histogram(std::size_t elements, std::uint32_t bins, bool normal_data);
workload histogram_global(std::size_t elements);
workload small_ufunc();
workload empty_launch();
workload queued_launches();

}  // namespace bench
