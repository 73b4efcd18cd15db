#pragma once
#include "dialect/cub/block_store.h"
