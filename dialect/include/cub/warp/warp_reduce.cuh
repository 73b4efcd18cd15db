#pragma once
#include "dialect/cub/warp_reduce.h"
