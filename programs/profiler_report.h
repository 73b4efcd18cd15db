#pragma once
// profiler_report: what `ncu --csv` writes of a program's kernels, read and told. Its format: Nsight Compute CLI,
// "Console Output" with --csv.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace programs {

/// The metrics that are asked for, in this order.
inline constexpr std::string_view profiled_metrics[] = {
    "gpu__time_duration.sum", "sm__throughput.avg.pct_of_peak_sustained_elapsed",
    "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed",
    "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct"};

struct profiled_kernel {
  std::string name;
  std::uint64_t launches = 0;
  std::map<std::string, double, std::less<>> sums;  ///< of each metric over the launches; times in seconds
};

/// The kernels of a log, in the order of their first launches. What is no CSV in it is left out.
std::vector<profiled_kernel> read_profiler_log(std::string_view log);

/// A table for people: time in all, and averages of what the launches used of the device.
std::string profiler_text(const std::vector<profiled_kernel>& kernels);

}  // namespace programs
