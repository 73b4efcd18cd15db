#include "python/core/call_argument.h"

#include <nanobind/stl/string.h>
#include <cmath>
#include <cstring>
#include <limits>

#include "python/core/device_array.h"
#include "runtime/core/error.h"

namespace gridstride_python {
namespace nb = nanobind;
namespace {

[[noreturn]] void refuse_number(nb::handle object, const element_type& type, const std::string& asked) {
  const std::string text = nb::cast<std::string>(nb::repr(object)), name = to_string(type);
  throw gs::error(asked, text + " isn't exact as " + name,
                  "say that it may be rounded: numpy." + (name == "bool" ? "bool_" : name) + "(" + text + ")");
}

template <class T>
T exact(double value, nb::handle object, const element_type& type, const std::string& asked) {
  const T converted = static_cast<T>(value);
  if (std::isnan(value) || static_cast<double>(converted) == value) return converted;
  refuse_number(object, type, asked);
}

// A Python integer of any size.
template <class T>
T exact_integer(nb::handle object, const element_type& type, const std::string& asked) {
  if constexpr (std::is_unsigned_v<T>) {
    const unsigned long long value = PyLong_AsUnsignedLongLong(object.ptr());
    if (!PyErr_Occurred() && value <= std::numeric_limits<T>::max()) return static_cast<T>(value);
  } else {
    const long long value = PyLong_AsLongLong(object.ptr());
    if (!PyErr_Occurred() && value >= std::numeric_limits<T>::min() && value <= std::numeric_limits<T>::max())
      return static_cast<T>(value);
  }
  PyErr_Clear();
  refuse_number(object, type, asked);
}

template <class T>
T real_number(nb::handle object, const element_type& type, const std::string& asked) {
  if (PyFloat_Check(object.ptr())) return exact<T>(PyFloat_AS_DOUBLE(object.ptr()), object, type, asked);
  const double value = PyLong_AsDouble(object.ptr());
  const bool fits = !PyErr_Occurred();
  PyErr_Clear();
  if (!fits) refuse_number(object, type, asked);
  const nb::object back = nb::steal(PyLong_FromDouble(value));
  if (PyObject_RichCompareBool(object.ptr(), back.ptr(), Py_EQ) != 1) refuse_number(object, type, asked);
  return exact<T>(value, object, type, asked);
}

template <class T>
struct is_complex : std::false_type {};
template <class T>
struct is_complex<std::complex<T>> : std::true_type {};

template <class T>
T converted(nb::handle object, const element_type& type, const std::string& asked) {
  if constexpr (std::is_same_v<T, bool>) {
    if (!PyBool_Check(object.ptr())) refuse_number(object, type, asked);
    return object.ptr() == Py_True;
  } else if constexpr (is_complex<T>::value) {
    using real = typename T::value_type;
    if (!PyComplex_Check(object.ptr())) return T(real_number<real>(object, type, asked));
    const Py_complex value = PyComplex_AsCComplex(object.ptr());
    return T(exact<real>(value.real, object, type, asked), exact<real>(value.imag, object, type, asked));
  } else if (PyComplex_Check(object.ptr()) || PyBool_Check(object.ptr())) {
    refuse_number(object, type, asked);
  } else if constexpr (std::is_floating_point_v<T>) {
    return real_number<T>(object, type, asked);
  } else {
    if (PyFloat_Check(object.ptr())) refuse_number(object, type, asked);
    return exact_integer<T>(object, type, asked);
  }
}

}  // namespace

bool is_python_number(nb::handle object) {
  PyObject* const o = object.ptr();
  return PyFloat_CheckExact(o) || PyLong_Check(o) || PyComplex_CheckExact(o);
}

void write_number(nb::handle object, const element_type& type, std::byte* to, const std::string& asked) {
  if (!is_python_number(object))
    throw gs::error(asked, "it is of type " + nb::cast<std::string>(nb::type_name(object.type())), "give a number");
  with_type(type.kind, [&]<class T>(std::type_identity<T>) {
    if constexpr (std::is_void_v<T>) {
      throw gs::error(asked, "a number was given for " + to_string(type), "give a NumPy value with fields");
    } else {
      const T value = converted<T>(object, type, asked);
      std::memcpy(to, &value, sizeof value);
    }
  });
}

call_argument::call_argument(nb::handle object, const element_type& type, const std::string& asked) {
  const python_array* array = nullptr;
  if (nb::try_cast(object, array) && array) {
    device_ = array->array;
    device_->memory();
  } else if (is_python_number(object)) {
    write_number(object, type, number_.value.data(), asked);
    return;
  } else {
    host_.emplace(object, asked);
  }
  const element_type found = device_ ? device_->type() : host_->type();
  if (!(found == type))
    throw gs::error(asked, "it holds " + to_string(found) + " and the function takes " + to_string(type),
                    "values are never converted silently: convert it with .astype, or take another function");
  number_.extents = device_ ? device_->shape() : host_->shape();
}

const gs::shape& call_argument::shape() const { return number_.extents; }

operand call_argument::place(bool on_device, bool on_all_cores) {
  operand placed = number_;
  if (device_) {
    placed.data = device_->data();
  } else if (host_) {
    placed.data = host_->read(packed_, on_all_cores);
    if (on_device) {
      const std::size_t bytes = host_->shape().size() * host_->type().bytes;
      copied_ = gs::detail::allocate_device_memory(bytes);
      gs::detail::copy_host_to_device(copied_->data(), nullptr, placed.data, bytes);
      placed.data = copied_->data();
    }
    if (!placed.data) placed.data = this;  // an empty array: nothing is read, and null would say that it is a number
  }
  return placed;
}

}  // namespace gridstride_python
