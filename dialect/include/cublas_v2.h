#pragma once
#include "dialect/libraries/cublas.h"
