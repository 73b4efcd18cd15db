#include "python/core/errors.h"

#include <nanobind/stl/string.h>
#include <array>
#include <exception>
#include <string>

#include "runtime/core/error.h"

namespace gridstride_python {
namespace nb = nanobind;
namespace {

struct error_types {
  PyObject *error, *machine_error, *kernel_fault;
};
error_types types;  // borrowed from the module, which is never unloaded

PyObject* new_error(nb::module_& m, const char* name, PyObject* base, const char* text) {
  PyObject* const type = PyErr_NewExceptionWithDoc(("gridstride." + std::string(name)).c_str(), text, base, nullptr);
  if (!type) nb::raise_python_error();
  m.attr(name) = nb::borrow(type);
  return type;
}

void raise(const gs::error& e, PyObject* type) {
  const nb::object raised = nb::borrow(type)(e.what());
  raised.attr("asked") = nb::str(e.asked().c_str());
  raised.attr("found") = nb::str(e.found().c_str());
  raised.attr("do") = nb::str(e.advice().c_str());
  PyErr_SetObject(type, raised.ptr());
}

void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const gs::machine_error& e) {
    raise(e, types.machine_error);
  } catch (const gs::kernel_fault& e) {
    raise(e, types.kernel_fault);
  } catch (const gs::error& e) {
    raise(e, types.error);
  }
}

}  // namespace

void declare_errors(nb::module_& m) {
  types.error = new_error(m, "Error", PyExc_RuntimeError,
                          "What was asked, what was found, and what to do: the attributes asked, found and do.");
  types.machine_error = new_error(m, "MachineError", types.error, "Something this machine lacks.");
  types.kernel_fault =
      new_error(m, "KernelFault", types.error, "Something a kernel's thread did that stops a processor.");
  nb::register_exception_translator(translate);
}

}  // namespace gridstride_python
