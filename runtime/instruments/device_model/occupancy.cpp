#include "runtime/instruments/device_model/occupancy.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "runtime/core/error.h"
#include "runtime/kernel/launch_options.h"

namespace gs::inline GS_FLAVOUR {
namespace {

constexpr std::size_t any_number = std::numeric_limits<unsigned>::max();

std::size_t round_up(std::size_t value, std::size_t unit) { return (value + unit - 1) / unit * unit; }

std::size_t blocks_by_registers(const device_model& model, std::size_t warps, std::size_t warp_registers) {
  if (warp_registers == 0) return any_number;
  // The check at launch takes a block's warps as spread evenly over the partitions.
  if (warp_registers * round_up(warps, model.partitions) > model.registers_per_block) return 0;
  // A warp's registers all lie in one partition.
  return model.registers_per_sm / model.partitions / warp_registers * model.partitions / warps;
}

}  // namespace

std::string_view to_string(occupancy_limit limit) {
  constexpr std::string_view names[] = {"threads", "blocks", "registers", "shared memory"};
  return names[static_cast<std::size_t>(limit)];
}

occupancy occupancy_of(const device_model& model, const index3& block, std::size_t shared_bytes_per_block,
                       unsigned registers_per_thread) {
  const std::size_t threads = block.size(), warps = (threads + 31) / 32;
  if (threads == 0)
    throw error("an occupancy", fmt::format("a block of ({}, {}, {})", block.x, block.y, block.z),
                "use 1 thread or more in each dimension");
  const std::size_t warp_registers = round_up(std::size_t{32} * registers_per_thread, model.register_granularity);
  const std::size_t shared = round_up(shared_bytes_per_block + model.shared_reserved, model.shared_granularity);
  const bool too_many_threads = threads > static_cast<std::size_t>(detail::launch_limits{}.threads_per_block);

  std::size_t blocks[4];
  const auto by = [&](occupancy_limit limit) -> std::size_t& { return blocks[static_cast<std::size_t>(limit)]; };
  by(occupancy_limit::threads) = too_many_threads ? 0 : model.warps_per_sm / warps;
  by(occupancy_limit::blocks) = model.blocks_per_sm;
  by(occupancy_limit::registers) =
      registers_per_thread > model.registers_per_thread ? 0 : blocks_by_registers(model, warps, warp_registers);
  by(occupancy_limit::shared_memory) = shared > model.shared_bytes_per_block + model.shared_reserved ? 0
                                       : shared == 0                                                 ? any_number
                                                     : model.shared_bytes_per_sm / shared;

  occupancy found;
  const std::size_t fewest = *std::ranges::min_element(blocks);
  for (std::size_t i = 0; i < std::size(blocks); ++i)
    if (blocks[i] == fewest) found.limited_by.push_back(static_cast<occupancy_limit>(i));
  found.active_blocks = static_cast<unsigned>(fewest);
  found.active_warps = static_cast<unsigned>(fewest * warps);
  found.share = static_cast<double>(found.active_warps) / model.warps_per_sm;
  found.allocated_shared_bytes = shared;
  found.allocated_registers = static_cast<unsigned>(warp_registers * warps);
  return found;
}

}  // namespace gs::inline GS_FLAVOUR
