#pragma once
// CUB's common calls, for warps, blocks and the device: CUB, "API documentation". What isn't here isn't found when a
// source compiles.

#include "dialect/cub/block_load.h"
#include "dialect/cub/block_radix_sort.h"
#include "dialect/cub/block_reduce.h"
#include "dialect/cub/block_scan.h"
#include "dialect/cub/block_store.h"
#include "dialect/cub/device_histogram.h"
#include "dialect/cub/device_radix_sort.h"
#include "dialect/cub/device_reduce.h"
#include "dialect/cub/device_run_length_encode.h"
#include "dialect/cub/device_scan.h"
#include "dialect/cub/device_select.h"
#include "dialect/cub/operators.h"
#include "dialect/cub/refused.h"
#include "dialect/cub/warp_reduce.h"
#include "dialect/cub/warp_scan.h"
