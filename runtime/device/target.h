#pragma once
// Where work runs: the target of a ufunc and the kind of device behind it.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR {

/// Where a ufunc runs.
enum class target {
  cpu,       ///< one core, host memory, no copies
  parallel,  ///< all cores, host memory, no copies
  device     ///< the device and its own memory; host arrays are copied there and back, and the copies are counted
};

/// What a device is: one of the runtime's own, or the number that another one got when it was registered.
enum class device_kind : std::uint8_t {
  engine,  ///< the CPU device; every machine has it
  cuda     ///< an NVIDIA GPU; needs a build with CUDA
};
namespace detail {

// How many devices the runtime has itself, and how many there can be.
inline constexpr std::size_t own_device_kinds = 2, most_device_kinds = 8;

}  // namespace detail

/// "cpu", "parallel" or "device".
std::string to_string(target t);
/// "engine", "cuda", or the name by which a device was registered.
std::string to_string(device_kind k);

namespace detail {

/// What the environment variable GRIDSTRIDE_TARGET asks for.
struct target_choice {
  target ufunc = target::device;           ///< where ufuncs run on host arrays
  std::optional<device_kind> device = {};  ///< none: a GPU if there is one, else the engine
};

/// Reads "cpu", "parallel", "device", "engine", "cuda" or the name of another registered device; empty means "device".
/// Throws gs::error for anything else.
target_choice parse_target(std::string_view text);

}  // namespace detail

/// Where ufuncs run on host arrays when `.on(...)` doesn't say: GRIDSTRIDE_TARGET, else target::device.
/// Throws gs::error if the variable is misspelt and gs::machine_error if it asks for a device that isn't there.
target default_target();

}  // namespace gs::inline GS_FLAVOUR
