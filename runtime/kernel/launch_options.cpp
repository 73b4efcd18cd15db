#include "runtime/kernel/launch_options.h"

#include <fmt/format.h>

#include "runtime/core/error.h"

namespace gs::inline GS_FLAVOUR {
namespace {

void check_extent(const extent3& asked, const extent3& most, std::string_view what, std::string_view kernel) {
  const std::int64_t given[] = {asked.x, asked.y, asked.z}, limit[] = {most.x, most.y, most.z};
  for (int d = 0; d < 3; ++d)
    if (given[d] < 1 || given[d] > limit[d])
      throw error(fmt::format("a launch of {} with a {} of ({}, {}, {})", kernel, what, asked.x, asked.y, asked.z),
                  fmt::format("its {} extent is {}", "xyz"[d], given[d]), fmt::format("use 1 to {}", limit[d]));
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

}  // namespace gs::inline GS_FLAVOUR
