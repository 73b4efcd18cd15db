// gridstride._core: what Python calls of the runtime. The rest of the module is Python.

#include <nanobind/nanobind.h>

#include "python/core/call.h"
#include "python/core/device_array.h"
#include "python/core/devices.h"
#include "python/core/errors.h"
#include "python/core/exchange.h"
#include "python/core/libraries.h"
#include "python/core/module_file.h"

NB_MODULE(_core, m) {
  gridstride_python::declare_errors(m);
  gridstride_python::declare_arrays(m);
  gridstride_python::declare_dlpack(m);
  gridstride_python::declare_arrow(m);
  gridstride_python::declare_devices(m);
  gridstride_python::declare_libraries(m);
  gridstride_python::declare_random(m);
  gridstride_python::declare_modules(m);
  gridstride_python::declare_calls(m);
}
