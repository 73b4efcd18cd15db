#pragma once
#include "dialect/samples/comparisons.h"
