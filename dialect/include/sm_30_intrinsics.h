#pragma once
#include "dialect/cuda_language.h"
