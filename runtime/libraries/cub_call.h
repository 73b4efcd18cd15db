#pragma once
// A call of CUB with the temporary memory that it asks for. Only for files that nvcc compiles.

#include <algorithm>
#include <cstddef>
#include <string>

#include "runtime/array/device_memory.h"
#include "runtime/core/config.h"
#include "runtime/cuda/cuda_execute.h"

namespace gs::inline GS_FLAVOUR::detail {

/// Calls `f(memory, bytes)` twice: CUB reports how much temporary memory it needs when it is called without any. That
/// memory lives until the work that was queued on it has run. `name` is "a sort".
template <class F>
void call_cub(const char* name, const F& f) {
  const std::string call_text = std::string(name) + " on the GPU";
  std::size_t bytes = 0;
  check_cuda(f(nullptr, bytes), call_text.c_str());
  const auto memory = allocate_device_memory(std::max<std::size_t>(bytes, 1));
  check_cuda(f(memory->data(), bytes), call_text.c_str());
}

}  // namespace gs::inline GS_FLAVOUR::detail
