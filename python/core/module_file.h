#pragma once
// A compiled module, opened: its functions as Python's objects.

#include <nanobind/nanobind.h>

#include "python/binding/abi.h"

namespace gridstride_python {

/// Declares Function and open_module.
void declare_modules(nanobind::module_& m);

/// "ripple(float32, float32) -> float32", "flood(view<float32>, float32)".
std::string signature_text(const function& f);

}  // namespace gridstride_python
