#pragma once
#include "dialect/cub/device_reduce.h"
