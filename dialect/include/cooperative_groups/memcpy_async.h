#pragma once
#include "dialect/groups/memcpy_async.h"
