#pragma once
// The launch configuration: how many blocks, how many threads in each, on which stream.

#include <concepts>
#include <cstdint>
#include <string_view>

#include "runtime/array/index.h"
#include "runtime/core/config.h"
#include "runtime/core/index3.h"
#include "runtime/device/stream.h"
#include "runtime/kernel/shared.h"

namespace gs::inline GS_FLAVOUR {

/// Extents of a grid or a block: 128, {16, 16} or {8, 8, 4}. Wide enough that a wrong number is reported and not cut
/// off.
struct extent3 {
  std::int64_t x = 1, y = 1, z = 1;  ///< along each dimension

  constexpr extent3() = default;
  /// From one to three integers of any type.
  template <std::integral X, std::integral Y = int, std::integral Z = int>
  constexpr extent3(X x_extent, Y y_extent = 1, Z z_extent = 1)  // NOLINT: `.block = 128` is how it is written
      : x(static_cast<std::int64_t>(x_extent)),
        y(static_cast<std::int64_t>(y_extent)),
        z(static_cast<std::int64_t>(z_extent)) {}

  /// For extents that are known to be small enough.
  index3 as_index() const { return {static_cast<unsigned>(x), static_cast<unsigned>(y), static_cast<unsigned>(z)}; }
};

namespace detail {

/// The stream of a launch; the default stream if none is given.
class stream_choice {
 public:
  stream_choice() = default;
  /// This one.
  stream_choice(const stream& s) : stream_(&s) {}  // NOLINT: `.stream = s` is how it is written
  const stream& get() const { return stream_ ? *stream_ : default_stream(); }  ///< the stream itself

 private:
  const stream* stream_ = nullptr;
};

}  // namespace detail

/// `gs::launch<kernel>({.grid = 30, .block = 128}, ...)`.
struct launch_options {
  extent3 grid = {};                  ///< blocks in x, y, z
  extent3 block = {};                 ///< threads per block in x, y, z; a kernel in block style has its own
  detail::stream_choice stream = {};  ///< on which the kernel is queued
  std::size_t shared_bytes = 0;       ///< of the kernel's gs::dynamic_shared
  bool cooperative = false;           ///< the kernel calls grid_sync()
  /// The place of the options in the source, in the checked flavour: mostly the launch itself.
  detail::access_place where = detail::access_place::current();
};

namespace detail {

/// What a launch may ask for. CUDA's limits for every compute capability from 3.0 on (CUDA C++ Programming Guide,
/// "Technical Specifications per Compute Capability"); the engine keeps to them, so that what runs here launches there.
struct launch_limits {
  std::int64_t threads_per_block = most_threads_per_block;  ///< x * y * z of the block
  extent3 block{1024, 1024, 64};                            ///< threads along each dimension
  extent3 grid{2147483647, 65535, 65535};                   ///< blocks along each dimension
  std::size_t shared_bytes = most_shared_bytes;             ///< per block, static and dynamic together
};

/// Throws gs::error, naming `kernel`, if the options exceed the limits or an extent is below 1.
void check_launch(const launch_options& options, std::string_view kernel, const launch_limits& limits = {});

/// What a kernel asks for by its parameters.
struct kernel_needs {
  std::string_view name;
  std::size_t static_shared_bytes = 0;
  bool takes_dynamic_shared = false;
  bool block_style = false;
  index3 block = {};  ///< of a kernel in block style
};
/// Throws gs::error if the options don't meet these needs. Fills in the block of a kernel in block style, which may be
/// left out.
void check_kernel_needs(launch_options& options, const kernel_needs& kernel, const launch_limits& limits = {});

/// Throws gs::error if a cooperative launch has more blocks than `most_blocks`.
void check_cooperative(const launch_options& options, std::string_view kernel, std::size_t most_blocks);

}  // namespace detail

}  // namespace gs::inline GS_FLAVOUR
