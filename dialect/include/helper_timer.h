#pragma once
#include "dialect/samples/timers.h"
