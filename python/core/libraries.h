#pragma once
// What the runtime has ready-made: products, transforms, sorting, random numbers.

#include <nanobind/nanobind.h>

namespace gridstride_python {

void declare_libraries(nanobind::module_& m);
void declare_random(nanobind::module_& m);

}  // namespace gridstride_python
