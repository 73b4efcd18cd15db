#pragma once
// How kernels are launched that go over the pixels of pictures.

#include <algorithm>
#include <cstddef>

#include "runtime/core/config.h"
#include "runtime/kernel/launch_options.h"

namespace gs::inline GS_FLAVOUR::detail {

/// Threads side by side have channels side by side; pixels and channels are gone through in grid strides.
inline launch_options over_pictures(std::size_t pixels, std::size_t channels) {
  return {.grid = {(channels + 31) / 32, std::min<std::size_t>((pixels + 7) / 8, 4096)}, .block = {32, 8}};
}

}  // namespace gs::inline GS_FLAVOUR::detail
