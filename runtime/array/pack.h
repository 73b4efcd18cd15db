#pragma once
// Packing: a copy of a strided array's elements in row-major order, as NumPy buffers operands that a ufunc can't walk
// through.

#include <cstddef>
#include <memory>

#include "runtime/array/host_layout.h"
#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR::detail {

/// Memory with the elements of a host array in row-major order, `element_bytes` each; `from` is where element
/// (0, ..., 0) lies. Large arrays are packed on all cores if `on_all_cores`. Throws gs::machine_error if there is
/// no room.
std::shared_ptr<const void> pack(const void* from, const host_layout& layout, std::size_t element_bytes,
                                 bool on_all_cores);

}  // namespace gs::inline GS_FLAVOUR::detail
