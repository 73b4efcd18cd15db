#pragma once
#include "dialect/samples/comparisons.h"
#include "dialect/samples/files.h"
