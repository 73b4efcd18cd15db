#pragma once
// The CUDA device: one NVIDIA GPU as a backend. Only builds with GRIDSTRIDE_CUDA have it. This header needs no CUDA
// header, so that files compiled by g++ can use it.

#include <memory>
#include <string>

#include "runtime/core/config.h"
#include "runtime/device/backend.h"

namespace gs::inline GS_FLAVOUR {

/// Empty if a GPU can be used, else the reason, as the driver gives it.
std::string cuda_device_missing();

/// Device 0 of those CUDA shows (CUDA_VISIBLE_DEVICES chooses).
std::unique_ptr<backend> make_cuda_device();

}  // namespace gs::inline GS_FLAVOUR
