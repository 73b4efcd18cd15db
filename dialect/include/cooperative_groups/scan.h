#pragma once
#include "dialect/groups/scan.h"
