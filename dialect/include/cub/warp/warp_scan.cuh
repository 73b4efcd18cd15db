#pragma once
#include "dialect/cub/warp_scan.h"
