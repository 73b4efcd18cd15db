#include "python/core/python_names.h"

#include <nanobind/stl/string.h>
#include <map>
#include <string>
#include <utility>

#include "runtime/core/error.h"

namespace gridstride_python {
namespace nb = nanobind;

nb::handle python_name(const char* module, const char* name) {
  // Never destroyed: at the interpreter's end it is too late to release them.
  static auto* const known = new std::map<std::pair<std::string, std::string>, nb::object>;
  nb::object& object = (*known)[{module, name}];
  if (!object.is_valid()) object = nb::module_::import_(module).attr(name);
  return object;
}

nb::object numpy_type(const element_type& type) {
  static auto* const known = new std::map<std::pair<int, std::size_t>, nb::object>;
  nb::object& dtype = (*known)[{static_cast<int>(type.kind), type.bytes}];
  if (!dtype.is_valid()) {
    const std::string name = type.kind == element_kind::record ? "V" + std::to_string(type.bytes) : to_string(type);
    dtype = python_name("numpy", "dtype")(name);
  }
  return dtype;
}

element_type type_of_numpy(nb::handle dtype, const std::string& asked) {
  const nb::object resolved = python_name("numpy", "dtype")(dtype);
  const auto bytes = nb::cast<std::size_t>(resolved.attr("itemsize"));
  const std::string kind = nb::cast<std::string>(resolved.attr("kind"));
  if (kind == "V") return {element_kind::record, bytes};
  const element_type type = type_of_name(nb::cast<std::string>(resolved.attr("name")), bytes);
  if (type.kind == element_kind::record || !nb::cast<bool>(resolved.attr("isnative")))
    throw gs::error(asked, "the type is " + nb::cast<std::string>(nb::str(resolved)),
                    "use one of bool, int8 to int64, uint8 to uint64, float32, float64, complex64 and complex128");
  return type;
}

nb::object empty_numpy(nb::handle dtype, nb::handle shape) {
  static const nb::handle empty = python_name("numpy", "empty");
  return empty(shape, dtype);
}

}  // namespace gridstride_python
