#pragma once
// A host array of Python's, borrowed while a call uses it.

#include <nanobind/nanobind.h>

#include <memory>
#include <string>

#include "python/core/element_type.h"
#include "runtime/array/host_layout.h"
#include "runtime/core/shape.h"

namespace gridstride_python {

/// What an object with the buffer protocol lends: NumPy's arrays and numbers, array.array, memoryview. Other objects
/// are asked for __dlpack__ and for __array_interface__, by NumPy. Holds the object.
class host_buffer {
 public:
  /// `asked` begins the errors. Throws gs::error if the object lends no array, or one of a type that gs doesn't have.
  host_buffer(nanobind::handle object, const std::string& asked);
  ~host_buffer();
  host_buffer(host_buffer&& other) noexcept;
  host_buffer& operator=(host_buffer&&) = delete;

  const element_type& type() const { return type_; }
  const gs::shape& shape() const { return layout_.extents; }
  bool is_read_only() const { return view_.readonly != 0; }
  bool is_row_major() const;
  /// The elements in row-major order: as they lie there, or packed, which `owner` then holds.
  const void* read(std::shared_ptr<const void>& owner, bool on_all_cores) const;
  /// Where a result is written. Throws gs::error if the array is read-only or isn't row-major.
  void* write(const std::string& asked) const;

 private:
  Py_buffer view_{};
  element_type type_;
  gs::detail::host_layout layout_;
};

/// Whether the object lends memory of the host.
bool lends_memory(nanobind::handle object);

}  // namespace gridstride_python
