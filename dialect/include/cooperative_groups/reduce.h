#pragma once
#include "dialect/groups/reduce.h"
