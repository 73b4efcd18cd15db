#include "python/core/host_buffer.h"

#include <nanobind/stl/string.h>
#include <span>
#include <utility>
#include <vector>

#include "python/core/python_names.h"
#include "runtime/array/pack.h"
#include "runtime/core/error.h"

namespace gridstride_python {
namespace nb = nanobind;
namespace {

// The object as one with the buffer protocol.
nb::object with_buffer(nb::handle object, const std::string& asked) {
  if (PyObject_CheckBuffer(object.ptr())) return nb::borrow(object);
  if (nb::hasattr(object, "__dlpack__")) return python_name("numpy", "from_dlpack")(object);
  if (nb::hasattr(object, "__array_interface__") || nb::hasattr(object, "__array__"))
    return python_name("numpy", "asarray")(object);
  throw gs::error(asked,
                  "an argument is of type " + std::string(nb::type_name(object.type()).c_str()) + ", which is no array",
                  "give a NumPy array, a device array or a number");
}

}  // namespace

bool lends_memory(nb::handle object) {
  return PyObject_CheckBuffer(object.ptr()) || nb::hasattr(object, "__dlpack__") ||
         nb::hasattr(object, "__array_interface__");
}

host_buffer::host_buffer(nb::handle object, const std::string& asked) {
  nb::object lender = with_buffer(object, asked);
  if (PyObject_GetBuffer(lender.ptr(), &view_, PyBUF_STRIDES | PyBUF_FORMAT) != 0) nb::raise_python_error();
  try {
    const auto item = static_cast<std::size_t>(view_.itemsize);
    type_ = type_of_format(view_.format ? view_.format : "B", item, asked);
    bool whole_steps = true;
    for (int d = 0; d < view_.ndim; ++d) {
      layout_.extents.push_back(static_cast<std::size_t>(view_.shape[d]));
      const Py_ssize_t stride = view_.strides ? view_.strides[d] : view_.itemsize;
      whole_steps = whole_steps && stride % view_.itemsize == 0;
      layout_.strides[static_cast<std::size_t>(d)] = stride / view_.itemsize;
    }
    if (!whole_steps) {  // a field of a record: NumPy puts its elements side by side
      PyBuffer_Release(&view_);
      lender = python_name("numpy", "ascontiguousarray")(lender);
      view_ = {};
      if (PyObject_GetBuffer(lender.ptr(), &view_, PyBUF_STRIDES | PyBUF_FORMAT) != 0) nb::raise_python_error();
      for (int d = 0; d < view_.ndim; ++d)
        layout_.strides[static_cast<std::size_t>(d)] = view_.strides[d] / view_.itemsize;
      view_.readonly = 1;  // what is written to the copy would be lost
    }
  } catch (...) {
    PyBuffer_Release(&view_);
    throw;
  }
}

host_buffer::~host_buffer() {
  if (view_.obj) PyBuffer_Release(&view_);
}

host_buffer::host_buffer(host_buffer&& other) noexcept
    : view_(std::exchange(other.view_, Py_buffer{})), type_(other.type_), layout_(other.layout_) {}

bool host_buffer::is_row_major() const {
  const auto strides = std::span(layout_.strides).first(layout_.extents.rank());
  const std::vector<std::size_t> extents(layout_.extents.begin(), layout_.extents.end());
  return gs::detail::is_row_major(extents, strides);
}

const void* host_buffer::read(std::shared_ptr<const void>& owner, bool on_all_cores) const {
  if (is_row_major()) return view_.buf;
  owner = gs::detail::pack(view_.buf, layout_, type_.bytes, on_all_cores);
  return owner.get();
}

void* host_buffer::write(const std::string& asked) const {
  if (is_read_only()) throw gs::error(asked, "the output is read-only", "give an array that can be written");
  if (!is_row_major()) gs::detail::refuse_layout(layout_);
  return view_.buf;
}

}  // namespace gridstride_python
