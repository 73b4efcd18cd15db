#pragma once
#include "dialect/cub/device_select.h"
