#pragma once
// gs::error becomes gridstride.Error.

#include <nanobind/nanobind.h>

namespace gridstride_python {

/// Declares Error, with its parts asked, found and do, and its kinds MachineError and KernelFault; and from then on
/// what the core throws becomes one of them.
void declare_errors(nanobind::module_& m);

}  // namespace gridstride_python
