#pragma once
// Every header of Thrust includes this one first, and Thrust's own behind it.
#include "dialect/thrust/device_system.h"
// clang-format off: in this order
#include_next <thrust/detail/config.h>
