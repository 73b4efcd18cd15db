#pragma once
#include "dialect/cub/block_radix_sort.h"
