#pragma once
// gs::interprocess_array: a device array that several processes use, each by an address of its own, without a copy.

#include <memory>
#include <string>
#include <utility>

#include "runtime/array/device_array.h"
#include "runtime/core/config.h"
#include "runtime/core/dtype.h"
#include "runtime/core/shape.h"

namespace gs::inline GS_FLAVOUR {

template <element T>
class interprocess_array;
template <element T>
interprocess_array<T> open_array(const std::string& handle);

namespace detail {

/// The text of a handle: the device, the element's type, the shape, and the device's own words. Counted as a loan.
std::string array_handle(const device_memory& memory, const shape& extents, const std::string& dtype,
                         std::size_t element_bytes);
/// What a handle says, and its memory, opened. Throws gs::error as open_array says.
struct opened_memory {
  std::shared_ptr<device_memory> memory;
  shape extents;
};
opened_memory open_array_memory(const std::string& handle, const std::string& dtype, std::size_t element_bytes);

}  // namespace detail

/// A device_array whose memory another process may open: `handle()` is a line of text for it, to be sent by any means,
/// and gs::open_array makes an array of it there. Both then use the same memory: what a kernel of one writes, the other
/// reads. Nothing orders the two but you: call gs::synchronize() before you tell the other process that it may go on.
///
/// On the engine the memory is a file without a name (memfd_create), which the other process opens while this one has
/// the array; afterwards it lives until the last process has freed it, whoever ends first. Both need the same user. On
/// a GPU the handle is cudaIpcMemHandle_t's; the process that made the array has to outlive the others' use of it.
template <element T>
class interprocess_array : public device_array<T> {
 public:
  /// An empty array of shape (0,), without a handle.
  interprocess_array() = default;
  /// An array of the given shape; its elements have no value yet. Throws gs::machine_error if the device has no room,
  /// gs::error if it has no such memory.
  explicit interprocess_array(const gs::shape& extents,
                              const detail::access_place& place = detail::access_place::current())
      : device_array<T>(extents, detail::memory_kind::interprocess, place) {}

  /// The text that gs::open_array takes in another process; a loan in the ledger. Throws gs::error for an array without
  /// elements.
  std::string handle() const {
    return detail::array_handle(*this->memory(), this->shape(), detail::dtype_name<T>(), sizeof(T));
  }

 private:
  explicit interprocess_array(detail::opened_memory opened) {
    this->take_memory(std::move(opened.memory), opened.extents);
  }
  friend interprocess_array open_array<T>(const std::string& handle);
};

/// The array of another process that `handle()` described there, in its shape and without a copy. On
/// the engine it may be the array of this process, which then has it twice. Throws gs::error if the text isn't a
/// handle, if the array holds another type of element or is another device's, and if its process or its memory is gone.
template <element T>
interprocess_array<T> open_array(const std::string& handle) {
  return interprocess_array<T>(detail::open_array_memory(handle, detail::dtype_name<T>(), sizeof(T)));
}

namespace detail {

template <class T>
struct is_device_array<interprocess_array<T>> : std::true_type {};

}  // namespace detail

}  // namespace gs::inline GS_FLAVOUR
