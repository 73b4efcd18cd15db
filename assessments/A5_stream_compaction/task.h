#pragma once
// Task A5: the function you write. README.md says what it must do.

#include <cmath>
#include <cstddef>

#include "runtime/gs.h"

/// Writes those of `values` that are at least `threshold`, in their order, side by side into `kept`. It has exactly as
/// many elements as there are such values: 0 to all of them. NaN is not at least anything. Each value arrives bit by
/// bit. There are 0 to 4 million values. `kept` may hold anything before. Nothing is copied between host and device.
void compact(const gs::device_array<float>& values, float threshold, const gs::device_array<float>& kept);
