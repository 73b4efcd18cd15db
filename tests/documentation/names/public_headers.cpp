// All that a program may include of the runtime.

#include "runtime/array/interprocess_array.h"
#include "runtime/array/xtensor.h"
#include "runtime/columns/columns.h"
#include "runtime/grad/check_gradient.h"
#include "runtime/grad/grad.h"
#include "runtime/grad/tape.h"
#include "runtime/gs.h"
#include "runtime/instruments/device_model/memory_model.h"
#include "runtime/instruments/device_model/time_bound.h"
#include "runtime/instruments/host_loop.h"
#include "runtime/layers/layers.h"
#include "runtime/numpy/numpy.h"
