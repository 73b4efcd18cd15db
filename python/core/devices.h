#pragma once
// Devices, streams, events, the ledger and timing.

#include <nanobind/nanobind.h>

namespace gridstride_python {

void declare_devices(nanobind::module_& m);

}  // namespace gridstride_python
