#pragma once
// gs::managed_array: an array that kernels and the host reach alike.

#include <span>
#include <type_traits>

#include "runtime/array/device_array.h"
#include "runtime/core/config.h"
#include "runtime/core/shape.h"

namespace gs::inline GS_FLAVOUR {

/// A device_array whose elements the host reads and writes without a copy of yours. On a GPU its memory comes from
/// cudaMallocManaged, and the driver moves pages to whoever touches them: convenient, and seldom faster than a copy, of
/// which the ledger counts none. On the engine host and device share the memory.
template <element T>
class managed_array : public device_array<T> {
 public:
  /// An empty array of shape (0,).
  managed_array() = default;
  /// An array of the given shape; its elements have no value yet. Throws gs::machine_error if there is no room.
  explicit managed_array(const gs::shape& extents, const detail::access_place& place = detail::access_place::current())
      : device_array<T>(extents, detail::memory_kind::managed, place) {}

  /// The elements for the host, row by row; waits for everything that is queued on the device. They are the host's
  /// until the next launch that takes the array: call it again after that.
  std::span<T> on_host() const {
    this->memory()->note_write();
    detail::wait_for_device();
    return {this->data(), this->size()};
  }
};

namespace detail {

template <class T>
struct is_device_array<managed_array<T>> : std::true_type {};

}  // namespace detail

}  // namespace gs::inline GS_FLAVOUR
