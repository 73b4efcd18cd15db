#pragma once
#include "dialect/groups/thread_block_tile.h"
