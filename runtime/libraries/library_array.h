#pragma once
// One array of a library's call, without its type.

#include <cstddef>
#include <type_traits>

#include "runtime/array/device_array.h"
#include "runtime/core/config.h"
#include "runtime/core/overlap.h"
#include "runtime/core/shape.h"

namespace gs::inline GS_FLAVOUR::detail {

struct library_array {
  void* data;
  shape extents;
  std::size_t element_bytes;

  std::size_t size() const { return extents.size(); }
};

/// Throws gs::error for an array that was moved from.
template <class T>
library_array as_library_array(const device_array<T>& a) {
  a.memory();
  return {const_cast<std::remove_const_t<T>*>(a.data()), a.shape(), sizeof(T)};
}

/// Whether two arrays share memory.
inline bool share_memory(const library_array& a, const library_array& b) {
  return overlap(a.data, a.size() * a.element_bytes, b.data, b.size() * b.element_bytes);
}

}  // namespace gs::inline GS_FLAVOUR::detail
