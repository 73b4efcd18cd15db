#pragma once
#include "dialect/cub/block_reduce.h"
