#pragma once
#include "dialect/libraries/complex.h"
