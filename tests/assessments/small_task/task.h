#pragma once
// A task for the tests of what runs submissions: a function with every kind of array. It returns x + 1 and sets
// out[i] = 2 * held[i], on the device; `behaviour` selects what else a submission does.

#include <cstddef>
#include <span>
#include <vector>

#include "runtime/gs.h"

std::vector<float> act(int behaviour, std::span<const float> x, const gs::device_array<float>& held,
                       const gs::device_array<float>& out);
