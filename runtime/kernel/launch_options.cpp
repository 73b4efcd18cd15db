#include "runtime/kernel/launch_options.h"

#include <fmt/format.h>

#include "runtime/core/error.h"

namespace gs::inline GS_FLAVOUR::detail {
namespace {

void check_extent(const extent3& extent, const extent3& limit, std::string_view part, std::string_view kernel) {
  const std::int64_t extents[] = {extent.x, extent.y, extent.z}, limits[] = {limit.x, limit.y, limit.z};
  for (int d = 0; d < 3; ++d)
    if (extents[d] < 1 || extents[d] > limits[d])
      throw error(fmt::format("a launch of {} with a {} of ({}, {}, {})", kernel, part, extent.x, extent.y, extent.z),
                  fmt::format("its {} extent is {}", "xyz"[d], extents[d]), fmt::format("use 1 to {}", limits[d]));
}

}  // namespace

void check_launch(const launch_options& options, std::string_view kernel, const launch_limits& limits) {
  check_extent(options.block, limits.block, "block", kernel);
  check_extent(options.grid, limits.grid, "grid", kernel);
  const std::int64_t threads = options.block.x * options.block.y * options.block.z;
  if (threads > limits.threads_per_block)
    throw error(fmt::format("a launch of {} with a block of ({}, {}, {})", kernel, options.block.x, options.block.y,
                            options.block.z),
                fmt::format("that is {} threads per block", threads),
                fmt::format("use at most {}, and more blocks", limits.threads_per_block));
}

void check_kernel_needs(launch_options& options, const kernel_needs& kernel, const launch_limits& limits) {
  if (kernel.block_style) {
    const index3 own = kernel.block;
    const auto is = [&](std::int64_t x, std::int64_t y, std::int64_t z) {
      return options.block.x == x && options.block.y == y && options.block.z == z;
    };
    if (!is(1, 1, 1) && !is(own.x, own.y, own.z))
      throw error(fmt::format("a launch of {} with a block of ({}, {}, {})", kernel.name, options.block.x,
                              options.block.y, options.block.z),
                  fmt::format("the kernel is written for gs::block<{}, {}, {}>", own.x, own.y, own.z),
                  "leave .block out, or change the kernel's first parameter");
    options.block = extent3(own.x, own.y, own.z);
    if (options.cooperative)
      throw error(fmt::format("a cooperative launch of {}", kernel.name), "a kernel in block style",
                  "write it in thread style, with gs::thread and grid_sync(), or launch it once per step");
  }
  if (options.shared_bytes > 0 && !kernel.takes_dynamic_shared)
    throw error(fmt::format("a launch of {} with {} bytes of dynamic shared memory", kernel.name, options.shared_bytes),
                "the kernel doesn't take any",
                "leave .shared_bytes out, or give the kernel a gs::dynamic_shared parameter");
  const std::size_t shared = (kernel.static_shared_bytes + 15) / 16 * 16;
  if (options.shared_bytes > limits.shared_bytes || shared > limits.shared_bytes - options.shared_bytes)
    throw error(fmt::format("a launch of {} with {} bytes of shared memory in its struct and {} dynamic ones",
                            kernel.name, kernel.static_shared_bytes, options.shared_bytes),
                fmt::format("a block has {} bytes", limits.shared_bytes), "use smaller tiles");
}

void check_cooperative(const launch_options& options, std::string_view kernel, std::size_t most_blocks) {
  const std::size_t blocks = options.grid.as_index().size();
  if (blocks > most_blocks)
    throw error(fmt::format("a cooperative launch of {} with {} blocks", kernel, blocks),
                fmt::format("the device holds {} of them at once", most_blocks),
                "launch at most gs::cooperative_limit<kernel>(block) blocks, and loop over the rest inside");
}

}  // namespace gs::inline GS_FLAVOUR::detail
