#pragma once
// Calls of compiled functions: ufuncs, folds, generalised ufuncs, launches.

#include <nanobind/nanobind.h>

namespace gridstride_python {

/// Declares call, outer, reduce, accumulate, generalised and launch.
void declare_calls(nanobind::module_& m);

}  // namespace gridstride_python
