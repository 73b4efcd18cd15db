#pragma once
// The library gs: arrays, ufuncs, kernels, streams, the ledger, timing, and what inspects types, launches and accesses.
// xtensor containers need one header more, runtime/array/xtensor.h.

#include "runtime/array/device_array.h"
#include "runtime/array/host_array.h"
#include "runtime/array/managed_array.h"
#include "runtime/array/pinned_array.h"
#include "runtime/array/view.h"
#include "runtime/core/config.h"
#include "runtime/core/error.h"
#include "runtime/core/ledger.h"
#include "runtime/core/shape.h"
#include "runtime/device/device.h"
#include "runtime/device/stream.h"
#include "runtime/device/target.h"
#include "runtime/device/timeline.h"
#include "runtime/inspect/inspect.h"
#include "runtime/instruments/device_model/occupancy.h"
#include "runtime/instruments/inspect.h"
#include "runtime/kernel/atomic_ref.h"
#include "runtime/kernel/bits.h"
#include "runtime/kernel/prefetch.h"
#include "runtime/kernel/print.h"
#include "runtime/launch/launch.h"
#include "runtime/libraries/fft.h"
#include "runtime/libraries/gemm.h"
#include "runtime/libraries/scan.h"
#include "runtime/libraries/select.h"
#include "runtime/libraries/sort.h"
#include "runtime/libraries/spmv.h"
#include "runtime/math/sin_cos.h"
#include "runtime/math/sum.h"
#include "runtime/math/vector_math.h"
#include "runtime/random/draw.h"
#include "runtime/random/random_array.h"
#include "runtime/random/random_lanes.h"
#include "runtime/random/random_state.h"
#include "runtime/random/random_states.h"
#include "runtime/timing/timeit.h"
#include "runtime/ufunc/guvectorize.h"
#include "runtime/ufunc/reduction.h"
#include "runtime/ufunc/vectorize.h"
#include "runtime/version.h"

/// Gridstride's library. Versions are semantic: a program that compiles with 1.0, and uses what gs.h, xtensor.h,
/// numpy.h, grad.h and tape.h declare in this namespace, compiles with every 1.x. Names in a `detail` namespace, and
/// what other headers declare, may change with each version; CHANGELOG.md says more.
namespace gs {}
