#pragma once
#include "dialect/cub/device_scan.h"
