#pragma once
// One argument of a call from Python: a number, a host array or a device array, of exactly the type that is taken.

#include <nanobind/nanobind.h>

#include <memory>
#include <optional>
#include <string>

#include "python/binding/abi.h"
#include "python/core/any_array.h"
#include "python/core/host_buffer.h"

namespace gridstride_python {

class call_argument {
 public:
  /// `asked` begins the errors: "ripple, argument 2". A Python number takes the type, if its value is the same there;
  /// an array or a NumPy number must have it. Throws gs::error otherwise.
  call_argument(nanobind::handle object, const element_type& type, const std::string& asked);

  bool is_number() const { return !host_ && !device_; }
  bool is_device() const { return device_ != nullptr; }
  const gs::shape& shape() const;

  /// As the loop reads it: in place on the host; on the device, copied there first if need be. Called without the GIL.
  operand place(bool on_device, bool on_all_cores);

 private:
  std::optional<host_buffer> host_;
  std::shared_ptr<any_array> device_;
  operand number_;
  std::shared_ptr<const void> packed_;
  std::shared_ptr<gs::detail::device_memory> copied_;
};

/// Writes a Python number as a number of that type to `to`, which has room for 16 bytes. Throws gs::error if its value
/// isn't the same there, or if the object is no number.
void write_number(nanobind::handle object, const element_type& type, std::byte* to, const std::string& asked);

/// Whether it is a Python number: NumPy's, which have a type, are none.
bool is_python_number(nanobind::handle object);

}  // namespace gridstride_python
