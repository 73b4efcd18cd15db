#include "python/core/module_file.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <vector>

#include "runtime/core/error.h"

namespace gridstride_python {
namespace nb = nanobind;
using namespace nb::literals;
namespace {

std::string parameter_text(const parameter& p) {
  std::string text(p.type);
  if (p.kind == parameter_kind::view) {
    text = fmt::format("view<{}{}", p.is_constant ? "const " : "", text);
    text += p.rank == 1 ? ">" : fmt::format(", {}>", p.rank);
  } else if (p.kind == parameter_kind::reference) {
    text = (p.is_constant ? "const " : "") + text + "&";
  } else if (p.kind == parameter_kind::constants) {
    text = fmt::format("constant_array<{}>", text);
  }
  return text;
}

const char* to_string(function_kind kind) {
  switch (kind) {
    case function_kind::kernel:
      return "kernel";
    case function_kind::scalar:
      return "scalar";
    case function_kind::other:
      return "other";
    case function_kind::elementwise:
      return "elementwise";
    case function_kind::reduction:
      return "reduction";
    case function_kind::accumulation:
      return "accumulation";
    case function_kind::generalised:
      return "generalised";
  }
  return "other";
}

const char* to_string(parameter_kind kind) {
  switch (kind) {
    case parameter_kind::number:
      return "number";
    case parameter_kind::record:
      return "record";
    case parameter_kind::constants:
      return "constants";
    case parameter_kind::view:
      return "view";
    case parameter_kind::reference:
      return "reference";
  }
  return "record";
}

// It stays loaded until the program ends: a kernel may be queued whose code is in it.
nb::list open_module(const std::string& file) {
  const std::string asked = "open the compiled module " + file;
  void* const module = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!module) throw gs::error(asked, dlerror(), "remove the file, and compile again");
  const auto list = reinterpret_cast<list_functions>(dlsym(module, entry_symbol));
  if (!list) throw gs::error(asked, "it has no list of functions", "remove the file, and compile again");
  const function_list found = list();
  if (found.version != abi_version)
    throw gs::error(asked, fmt::format("it is of version {}, this program's is {}", found.version, abi_version),
                    "remove the file, and compile again");
  nb::list functions;
  for (const function& f : found.functions) functions.append(nb::cast(&f, nb::rv_policy::reference));
  return functions;
}

}  // namespace

std::string signature_text(const function& f) {
  std::vector<std::string> parameters;
  for (const parameter& p : f.parameters) parameters.push_back(parameter_text(p));
  std::string text = fmt::format("{}({})", f.name, fmt::join(parameters, ", "));
  if (f.result.bytes > 0) text += " -> " + parameter_text(f.result);
  return text;
}

void declare_modules(nb::module_& m) {
  nb::class_<parameter>(m, "Parameter", "A parameter of a compiled function.")
      .def_prop_ro("kind", [](const parameter& p) { return to_string(p.kind); })
      .def_prop_ro("type", [](const parameter& p) { return std::string(p.type); })
      .def_ro("bytes", &parameter::bytes)
      .def_ro("rank", &parameter::rank)
      .def_ro("is_constant", &parameter::is_constant);
  nb::class_<function>(m, "Function", "A compiled function.")
      .def_prop_ro("name", [](const function& f) { return std::string(f.name); })
      .def_prop_ro("kind", [](const function& f) { return to_string(f.kind); })
      .def_prop_ro("parameters",
                   [](const function& f) {
                     nb::list parameters;
                     for (const parameter& p : f.parameters) parameters.append(nb::cast(&p, nb::rv_policy::reference));
                     return parameters;
                   })
      .def_prop_ro(
          "result", [](const function& f) { return &f.result; }, nb::rv_policy::reference_internal)
      .def_ro("block_style", &function::block_style)
      .def_prop_ro("signature", &signature_text);
  m.def("open_module", &open_module, "file"_a, "The functions of a compiled module.");
}

}  // namespace gridstride_python
