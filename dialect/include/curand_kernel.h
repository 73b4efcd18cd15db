#pragma once
#include "dialect/libraries/curand_kernel.h"
