#pragma once
// Why a launch would fail on a GPU of a chosen model.

#include <cstddef>
#include <string>
#include <vector>

#include "runtime/core/config.h"
#include "runtime/core/error.h"
#include "runtime/core/index3.h"
#include "runtime/instruments/device_model/device_model.h"

namespace gs::inline GS_FLAVOUR::detail {

/// A launch, and what its kernel takes. Memory in bytes.
struct launch_demand {
  std::string kernel;
  index3 grid{1, 1, 1}, block{1, 1, 1};
  std::size_t static_shared_bytes = 0;
  std::size_t dynamic_shared_bytes = 0;
  std::size_t parameter_bytes = 0;
  unsigned registers_per_thread = 0;  ///< what `nvcc --resource-usage` prints; 0: not known, and not checked
  bool cooperative = false;
};

/// What a GPU of that model refuses, each with what was asked, what was found and what to do; empty if the launch would
/// start. What no CUDA device can do, gs::launch has refused before (gs::detail::launch_limits); here stands what
/// depends on the model, and on the registers that the compiler gives a thread. A cooperative launch is checked for the
/// model's typical card.
std::vector<error> launch_refusals(const device_model& model, const launch_demand& launch);

}  // namespace gs::inline GS_FLAVOUR::detail
