#pragma once
// gs::pinned_array: an array of the host that queued copies may use.

#include <cstddef>
#include <limits>
#include <new>
#include <type_traits>
#include <vector>

#include "runtime/array/device_memory.h"
#include "runtime/array/host_array.h"
#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR {

namespace detail {

/// Hands out pinned memory of the device that is current when it is made.
template <class T>
class pinned_allocator {
 public:
  using value_type = T;
  using propagate_on_container_move_assignment = std::true_type;
  using propagate_on_container_swap = std::true_type;

  pinned_allocator() : kind_(current_device()) {}
  template <class U>
  pinned_allocator(const pinned_allocator<U>& other) : kind_(other.kind()) {}  // NOLINT: as the standard asks

  T* allocate(std::size_t n) {
    if (n > std::numeric_limits<std::size_t>::max() / sizeof(T)) throw std::bad_array_new_length();
    return static_cast<T*>(allocate_pinned_memory(n * sizeof(T)));
  }
  void deallocate(T* memory, std::size_t /*n*/) { release_pinned_memory(kind_, memory); }

  device_kind kind() const { return kind_; }
  template <class U>
  bool operator==(const pinned_allocator<U>& other) const {
    return kind_ == other.kind();
  }

 private:
  device_kind kind_;
};

}  // namespace detail

/// A std::vector in page-locked memory of the host: the system leaves its pages where they are, so that a copy in a
/// stream can fetch from there, or write there, while the host goes on. On a GPU it comes from cudaHostAlloc; on the
/// engine it is ordinary memory in whole pages, and copies are queued as on a GPU. Making one takes longer than making
/// an ordinary array: keep and reuse it. It may be destroyed while copies from it are queued. A device array of the
/// same shape takes parts of it too: std::span(x).subspan(first, size).
template <element T>
using pinned_array = std::vector<T, detail::pinned_allocator<T>>;

}  // namespace gs::inline GS_FLAVOUR
