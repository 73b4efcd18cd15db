#pragma once
// The library gs: arrays, ufuncs, kernels, streams, the ledger and timing. xtensor containers need one header more,
// runtime/array/xtensor.h.

#include "runtime/array/device_array.h"
#include "runtime/array/host_array.h"
#include "runtime/array/view.h"
#include "runtime/core/config.h"
#include "runtime/core/error.h"
#include "runtime/core/ledger.h"
#include "runtime/core/shape.h"
#include "runtime/device/device.h"
#include "runtime/device/stream.h"
#include "runtime/device/target.h"
#include "runtime/kernel/launch.h"
#include "runtime/libraries/fft.h"
#include "runtime/libraries/gemm.h"
#include "runtime/libraries/sort.h"
#include "runtime/math/vector_math.h"
#include "runtime/timing/timeit.h"
#include "runtime/ufunc/vectorize.h"
