#pragma once
#include "dialect/cub/cub.h"
