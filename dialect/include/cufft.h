#pragma once
#include "dialect/libraries/cufft.h"
