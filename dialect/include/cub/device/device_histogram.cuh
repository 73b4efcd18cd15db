#pragma once
#include "dialect/cub/device_histogram.h"
