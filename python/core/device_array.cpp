#include "python/core/device_array.h"

#include <fmt/format.h>
#include <nanobind/stl/string.h>

#include <vector>

#include "python/core/host_buffer.h"
#include "python/core/python_names.h"
#include "python/core/waiting.h"
#include "runtime/core/error.h"
#include "runtime/device/device.h"

namespace gridstride_python {
namespace nb = nanobind;
using namespace nb::literals;

python_array new_device_array(nb::handle dtype, const gs::shape& extents) {
  const element_type type = type_of_numpy(dtype, "a device array");
  return {make_array(type, extents), python_name("numpy", "dtype")(dtype)};
}

python_array as_python_array(std::unique_ptr<any_array> array) {
  nb::object dtype = numpy_type(array->type());
  return {std::move(array), std::move(dtype)};
}

gs::shape shape_of_object(nb::handle object, const std::string& asked) {
  const auto extent_of = [&](nb::handle number) {
    if (!nb::hasattr(number, "__index__"))
      throw gs::error(asked, "the shape holds " + nb::cast<std::string>(nb::repr(number)), "give integers");
    return nb::cast<std::ptrdiff_t>(number.attr("__index__")());
  };
  if (nb::hasattr(object, "__index__")) return gs::shape({extent_of(object)});
  if (!nb::isinstance<nb::sequence>(object))
    throw gs::error(asked, "the shape is " + nb::cast<std::string>(nb::repr(object)), "give an integer or a tuple");
  std::vector<std::ptrdiff_t> extents;
  for (nb::handle extent : object) extents.push_back(extent_of(extent));
  return gs::shape(extents);
}

nb::tuple to_tuple(const gs::shape& extents) {
  nb::list numbers;
  for (const std::size_t extent : extents) numbers.append(extent);
  return nb::tuple(numbers);
}

namespace {

void copy_from_host(const python_array& to, nb::handle from) {
  const host_buffer host(from, "copy_from_host");
  if (!(host.type() == to.array->type()))
    throw gs::error(
        "copy_from_host",
        "the host array holds " + to_string(host.type()) + ", the device array " + to_string(to.array->type()),
        "convert the host array: x.astype(...)");
  gs::detail::check_copy_shape(to.array->shape(), host.shape());
  wait_for_device();
  std::shared_ptr<const void> packed;
  const void* const data = host.read(packed, true);
  const nb::gil_scoped_release others_run;
  gs::detail::copy_host_to_device(to.array->data(), to.array->memory().get(), data, to.array->bytes());
}

python_array to_device(nb::handle object) {
  const host_buffer host(object, "to_device");
  nb::object dtype = numpy_type(host.type());
  if (host.type().kind == element_kind::record && nb::hasattr(object, "dtype")) dtype = object.attr("dtype");
  python_array result{make_array(host.type(), host.shape()), dtype};
  std::shared_ptr<const void> packed;
  const void* const data = host.read(packed, true);
  const nb::gil_scoped_release others_run;
  gs::detail::copy_host_to_device(result.array->data(), nullptr, data, result.array->bytes());
  return result;
}

void copy_into(const python_array& from, nb::handle out) {
  const host_buffer host(out, "copy_to_host");
  if (!(host.type() == from.array->type()))
    throw gs::error(
        "copy_to_host",
        "the host array holds " + to_string(host.type()) + ", the device array " + to_string(from.array->type()),
        "give a host array of the same type");
  gs::detail::check_copy_shape(from.array->shape(), host.shape());
  void* const to = host.write("copy_to_host");
  const auto& memory = from.array->memory();
  wait_for_device();
  const nb::gil_scoped_release others_run;
  gs::detail::copy_device_to_host(to, memory.get(), from.array->data(), from.array->bytes(), from.array->type().bytes);
}

nb::object copy_to_host(const python_array& from, nb::object out) {
  if (out.is_none()) out = empty_numpy(from.dtype, to_tuple(from.array->shape()));
  copy_into(from, out);
  return out;
}

std::size_t position(std::ptrdiff_t i, const gs::shape& extents) {
  if (extents.rank() == 0)
    throw gs::error("an element of an array of shape ()", "a scalar has no dimension", "use copy_to_host()");
  const auto n = static_cast<std::ptrdiff_t>(extents[0]);
  const std::ptrdiff_t at = i < 0 ? i + n : i;
  // An IndexError ends a loop over an array.
  if (at < 0 || at >= n) throw nb::index_error(fmt::format("index {} of {} elements", i, n).c_str());
  return static_cast<std::size_t>(at);
}

python_array part(const python_array& whole, nb::handle index) {
  const gs::shape& extents = whole.array->shape();
  if (nb::isinstance<nb::slice>(index)) {
    if (extents.rank() == 0) gs::detail::check_slice(extents, 0, 0);
    const auto [start, stop, step, length] = nb::cast<nb::slice>(index).compute(extents[0]);
    if (step != 1)
      throw gs::error("a slice of a device array", fmt::format("its step is {}", step),
                      "use a step of 1; a kernel can take every other element");
    const auto begin = static_cast<std::size_t>(start);
    return {whole.array->slice(begin, begin + length), whole.dtype};
  }
  if (nb::hasattr(index, "__index__"))
    return {whole.array->row(position(nb::cast<std::ptrdiff_t>(index.attr("__index__")()), extents)), whole.dtype};
  throw gs::error("a part of a device array", "the index is " + nb::cast<std::string>(nb::repr(index)),
                  "use an integer or a range along the first dimension: d[3], d[2:5]");
}

python_array reshape(const python_array& whole, const nb::args& arguments) {
  nb::object extents = arguments.size() == 1 ? nb::object(arguments[0]) : nb::object(arguments);
  std::vector<std::ptrdiff_t> numbers;
  if (nb::hasattr(extents, "__index__"))
    numbers.push_back(nb::cast<std::ptrdiff_t>(extents.attr("__index__")()));
  else
    for (nb::handle extent : extents) numbers.push_back(nb::cast<std::ptrdiff_t>(extent.attr("__index__")()));
  whole.array->memory();
  return {whole.array->reshape(gs::detail::reshaped(whole.array->shape(), numbers)), whole.dtype};
}

nb::object as_numpy(const python_array& a, nb::handle dtype, nb::handle) {
  nb::object host = copy_to_host(a, nb::none());
  return dtype.is_none() ? host : host.attr("astype")(dtype);
}

std::string text_of(const python_array& a) {
  return fmt::format("DeviceArray(shape={}, dtype={}, on the {})", gs::to_string(a.array->shape()),
                     nb::cast<std::string>(nb::str(a.dtype)), gs::to_string(a.array->device()));
}

}  // namespace

void declare_arrays(nb::module_& m) {
  nb::class_<python_array>(m, "DeviceArray", nb::is_weak_referenceable(),
                           "An array in the device's memory. Slices and reshaped arrays share it.")
      .def_prop_ro("shape", [](const python_array& a) { return to_tuple(a.array->shape()); })
      .def_prop_ro("dtype", [](const python_array& a) { return a.dtype; })
      .def_prop_ro("ndim", [](const python_array& a) { return a.array->shape().rank(); })
      .def_prop_ro("size", [](const python_array& a) { return a.array->shape().size(); })
      .def_prop_ro("nbytes", [](const python_array& a) { return a.array->bytes(); })
      .def_prop_ro("device", [](const python_array& a) { return gs::to_string(a.array->device()); })
      .def("copy_to_host", &copy_to_host, "out"_a = nb::none(),
           "The elements as a NumPy array, or into one; waits for what is queued. One copy, counted.")
      .def("copy_from_host", &copy_from_host, "host"_a, "Overwrites the elements. One copy, counted.")
      .def(
          "copy",
          [](const python_array& a) {
            wait_for_device();
            return python_array{a.array->copy(), a.dtype};
          },
          "A new array with the same elements.")
      .def("reshape", &reshape, "The same elements in another shape; one extent may be -1. Shares the memory.")
      .def("__getitem__", &part, "index"_a)
      .def("__array__", &as_numpy, "dtype"_a = nb::none(), "copy"_a = nb::none())
      .def("__len__",
           [](const python_array& a) {
             if (a.array->shape().rank() == 0) throw nb::type_error("an array of shape () has no length");
             return a.array->shape()[0];
           })
      .def("__repr__", &text_of);
  m.def("to_device", &to_device, "array"_a, "Copies a host array to the device; one copy, counted.");
  m.def(
      "device_array",
      [](nb::handle shape, nb::handle dtype) {
        return new_device_array(dtype, shape_of_object(shape, "a device array"));
      },
      "shape"_a, "dtype"_a, "An array on the device; its elements have no value yet.");
  m.def(
      "device_array_like",
      [](nb::handle a) {
        if (nb::isinstance<python_array>(a)) {
          const auto& like = nb::cast<const python_array&>(a);
          return python_array{make_array(like.array->type(), like.array->shape()), like.dtype};
        }
        const host_buffer host(a, "device_array_like");
        return as_python_array(make_array(host.type(), host.shape()));
      },
      "array"_a, "An array on the device with the shape and the type of another; its elements have no value yet.");
}

}  // namespace gridstride_python
