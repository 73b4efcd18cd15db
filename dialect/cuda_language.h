#pragma once
// Everything that every CUDA source may use without an #include: nvcc, too, includes cuda_runtime.h by itself.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <new>
#include <utility>
#include <vector>

#include "dialect/language/atomics.h"
#include "dialect/language/device_functions.h"
#include "dialect/language/device_math.h"
#include "dialect/language/device_variable.h"
#include "dialect/language/extrema.h"
#include "dialect/language/launch.h"
#include "dialect/language/refused.h"
#include "dialect/language/shared_variables.h"
#include "dialect/language/synchronization.h"
#include "dialect/language/thread_names.h"
#include "dialect/language/vector_types.h"
#include "dialect/runtime/device_properties.h"
#include "dialect/runtime/errors.h"
#include "dialect/runtime/graphs.h"
#include "dialect/runtime/memory.h"
#include "dialect/runtime/pools.h"
#include "dialect/runtime/streams.h"
#include "dialect/runtime/unchecked_errors.h"
#include "runtime/gs.h"
// Last: the headers above have no use for these words.
#include "dialect/language/qualifiers.h"
