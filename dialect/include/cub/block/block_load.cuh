#pragma once
#include "dialect/cub/block_load.h"
