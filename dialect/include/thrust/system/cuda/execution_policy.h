#pragma once
#include "dialect/thrust/stream_policy.h"
