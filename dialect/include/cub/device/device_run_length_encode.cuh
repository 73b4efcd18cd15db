#pragma once
#include "dialect/cub/device_run_length_encode.h"
