#pragma once
// A checked selection, as the devices take it.

#include <cstddef>
#include <cstdint>

#include "runtime/core/config.h"
#include "runtime/device/backend.h"

namespace gs::inline GS_FLAVOUR {

/// `size` elements and flags; a size of 0 still writes its count. Nothing overlaps.
struct select_call {
  std::size_t element_bytes, size;
  const void* in;
  const std::uint8_t* flags;
  void* out;
  std::uint64_t* count;

  bool empty() const { return false; }
};

void run_on_engine(const select_call& call);
#if GRIDSTRIDE_CUDA
void queue_on_cuda(queue& device_queue, const select_call& call);
#endif

}  // namespace gs::inline GS_FLAVOUR
