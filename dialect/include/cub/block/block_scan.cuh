#pragma once
#include "dialect/cub/block_scan.h"
