#pragma once
#include "dialect/cub/device_radix_sort.h"
