#pragma once
#include "dialect/thrust/device_memory.h"
