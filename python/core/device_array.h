#pragma once
// What Python holds of a device array.

#include <nanobind/nanobind.h>

#include <memory>

#include "python/core/any_array.h"

namespace gridstride_python {

/// An array and NumPy's name for its elements, which of records says their fields.
struct python_array {
  std::shared_ptr<any_array> array;
  nanobind::object dtype;
};

/// A new array on the device; its elements have no value yet.
python_array new_device_array(nanobind::handle dtype, const gs::shape& extents);
/// The array with NumPy's own name for its type.
python_array as_python_array(std::unique_ptr<any_array> array);

/// A shape from an integer or a sequence of integers. Throws gs::error, beginning with `asked`.
gs::shape shape_of_object(nanobind::handle object, const std::string& asked);
/// As a tuple.
nanobind::tuple to_tuple(const gs::shape& extents);

/// Declares DeviceArray, to_device, device_array and device_array_like.
void declare_arrays(nanobind::module_& m);

}  // namespace gridstride_python
