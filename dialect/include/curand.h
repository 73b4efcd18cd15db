#pragma once
#include "dialect/libraries/curand.h"
