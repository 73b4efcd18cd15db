#pragma once
// Arrays of other libraries without a copy: DLPack, Arrow, the CUDA array interface.

#include <nanobind/nanobind.h>

namespace gridstride_python {

/// Declares DeviceArray's __dlpack__, __dlpack_device__ and __cuda_array_interface__, and from_dlpack.
void declare_dlpack(nanobind::module_& m);
/// Declares from_arrow and to_arrow.
void declare_arrow(nanobind::module_& m);

}  // namespace gridstride_python
