#include "runtime/instruments/device_model/launch_refusals.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/instruments/device_model/occupancy.h"

namespace gs::inline GS_FLAVOUR::detail {
namespace {

std::string name_of(const device_model& model) {
  return fmt::format("compute capability {}", model.compute_capability);
}

// Rounded up to 16 bytes, where dynamic shared memory begins.
std::size_t shared_bytes(const launch_demand& launch) {
  return (launch.static_shared_bytes + 15) / 16 * 16 + launch.dynamic_shared_bytes;
}

void check_shared_memory(const device_model& model, const launch_demand& launch, std::vector<error>& refused) {
  if (shared_bytes(launch) > model.shared_bytes_per_block)
    refused.emplace_back(fmt::format("a launch of {} with {} bytes of static and {} of dynamic shared memory",
                                     launch.kernel, launch.static_shared_bytes, launch.dynamic_shared_bytes),
                         fmt::format("{} has {} bytes for a block", name_of(model), model.shared_bytes_per_block),
                         "use smaller tiles");
}

void check_parameters(const device_model& model, const launch_demand& launch, std::vector<error>& refused) {
  if (launch.parameter_bytes > model.parameter_bytes)
    refused.emplace_back(
        fmt::format("a launch of {} with {} bytes of parameters", launch.kernel, launch.parameter_bytes),
        fmt::format("{} takes {} bytes", name_of(model), model.parameter_bytes),
        "put the values into a gs::device_array and pass that");
}

// The most threads a block of this kernel can have, in whole warps.
unsigned most_threads(const device_model& model, const launch_demand& launch) {
  unsigned threads = 1024;
  while (threads > 0 && occupancy_of(model, {threads, 1, 1}, 0, launch.registers_per_thread).active_blocks == 0)
    threads -= 32;
  return threads;
}

void check_registers(const device_model& model, const launch_demand& launch, std::vector<error>& refused) {
  const std::size_t threads = launch.block.size();
  if (launch.registers_per_thread > model.registers_per_thread) {
    refused.emplace_back(
        fmt::format("a launch of {} with {} registers per thread", launch.kernel, launch.registers_per_thread),
        fmt::format("{} has {} for a thread", name_of(model), model.registers_per_thread),
        "give the number that nvcc --resource-usage prints");
  } else if (occupancy_of(model, launch.block, 0, launch.registers_per_thread).active_blocks == 0) {
    refused.emplace_back(
        fmt::format("a launch of {} with {} threads per block and {} registers per thread", launch.kernel, threads,
                    launch.registers_per_thread),
        fmt::format("{} has {} registers for a block, handed out by warps", name_of(model), model.registers_per_block),
        fmt::format("use blocks of at most {} threads", most_threads(model, launch)));
  }
}

// All blocks of a cooperative launch must be on the GPU at once.
void check_cooperative(const device_model& model, const launch_demand& launch, std::vector<error>& refused) {
  const occupancy held = occupancy_of(model, launch.block, shared_bytes(launch), launch.registers_per_thread);
  const std::size_t most = std::size_t{held.active_blocks} * model.multiprocessors;
  if (launch.grid.size() > most)
    refused.emplace_back(fmt::format("a cooperative launch of {} with {} blocks", launch.kernel, launch.grid.size()),
                         fmt::format("{} ({}) holds {} of them at once: {} on each of its {} multiprocessors",
                                     model.card, name_of(model), most, held.active_blocks, model.multiprocessors),
                         "launch at most gs::cooperative_limit<kernel>(block) blocks, and loop over the rest inside");
}

}  // namespace

std::vector<error> launch_refusals(const device_model& model, const launch_demand& launch) {
  std::vector<error> refused;
  check_shared_memory(model, launch, refused);
  check_parameters(model, launch, refused);
  check_registers(model, launch, refused);
  // A GPU that can't hold a single block has refused it above.
  if (launch.cooperative && refused.empty()) check_cooperative(model, launch, refused);
  return refused;
}

}  // namespace gs::inline GS_FLAVOUR::detail
