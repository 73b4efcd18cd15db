#include "runtime/instruments/device_model/time_bound.h"

#include <algorithm>

#include "runtime/instruments/device_model/memory_model.h"

namespace gs::inline GS_FLAVOUR {
namespace {

constexpr double sectors_per_cycle = static_cast<double>(shared_banks * bank_bytes) / sector_bytes;

// The first of the largest, from `begin` on.
std::size_t largest(const std::array<double, time_limit_count>& seconds, std::size_t begin) {
  return static_cast<std::size_t>(
      std::max_element(seconds.begin() + static_cast<std::ptrdiff_t>(begin), seconds.end()) - seconds.begin());
}

}  // namespace

std::string_view to_string(time_limit limit) {
  constexpr std::string_view names[time_limit_count] = {"memory", "L1 cache", "shared memory", "arithmetic"};
  return names[static_cast<std::size_t>(limit)];
}

launch_work work_of(const kernel_counters& counted) {
  if (counted.launches == 0) return {};
  const auto a_launch = [&](std::uint64_t n) { return static_cast<double>(n) / static_cast<double>(counted.launches); };
  return {.blocks = counted.grid.size(),
          .memory_bytes = sector_bytes * a_launch(counted.sectors_read + counted.sectors_written),
          .requests = a_launch(counted.requests),
          .sectors = a_launch(counted.sectors),
          .wavefronts = a_launch(counted.wavefronts)};
}

double time_bound::seconds() const { return seconds_by[largest(seconds_by, 0)]; }
time_limit time_bound::limited_by() const { return static_cast<time_limit>(largest(seconds_by, 0)); }
double time_bound::seconds_from_l2() const { return seconds_by[largest(seconds_by, 1)]; }
time_limit time_bound::limited_from_l2_by() const { return static_cast<time_limit>(largest(seconds_by, 1)); }

time_bound time_bound_of(const device_model& model, const launch_work& work) {
  // A block is on one multiprocessor: those without any do nothing.
  const std::size_t at_work =
      work.blocks > 0 ? std::min<std::size_t>(work.blocks, model.multiprocessors) : std::size_t{model.multiprocessors};
  const double cycles_per_second = 1e6 * model.clock_mhz * static_cast<double>(at_work);
  time_bound bound;
  const auto by = [&](time_limit limit) -> double& { return bound.seconds_by[static_cast<std::size_t>(limit)]; };
  by(time_limit::memory) = work.memory_bytes / model.memory_bytes_per_second;
  by(time_limit::l1_cache) = std::max(work.requests, work.sectors / sectors_per_cycle) / cycles_per_second;
  by(time_limit::shared_memory) = work.wavefronts / cycles_per_second;
  by(time_limit::arithmetic) = work.float32_operations / (2.0 * model.float32_lanes * cycles_per_second);
  return bound;
}

}  // namespace gs::inline GS_FLAVOUR
