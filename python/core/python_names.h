#pragma once
// Names of Python modules that the core calls, looked up once.

#include <nanobind/nanobind.h>

#include "python/core/element_type.h"

namespace gridstride_python {

/// numpy.empty for ("numpy", "empty"). Kept until the interpreter ends.
nanobind::handle python_name(const char* module, const char* name);

/// numpy.dtype of that type. A record's is a void type of its size, unless `fields` says more.
nanobind::object numpy_type(const element_type& type);

/// The element type that numpy.dtype(object) has. Throws gs::error, beginning with `asked`, for one that gs doesn't
/// have.
element_type type_of_numpy(nanobind::handle dtype, const std::string& asked);

/// A new NumPy array; its elements have no value yet.
nanobind::object empty_numpy(nanobind::handle dtype, nanobind::handle shape);

}  // namespace gridstride_python
