#pragma once
// Task A2: the function you write. README.md says what it must do.

#include <cmath>
#include <cstddef>

#include "runtime/gs.h"

/// A histogram of each row: counts(r, k) says how many of the values of row r lie in bin k, of `bins` bins of equal
/// width from `low` to `high`. `values` has the shape (rows, columns), `counts` (rows, bins). The bin of a value x is
/// defined by float arithmetic, every operation rounded to float:
///
///   scale    = float(bins) / (high - low)
///   position = (x - low) * scale
///   x is counted in bin unsigned(position) if position >= 0 and position < float(bins), else nowhere
///
/// So a bin holds its lower edge and not its upper one, and what lies outside, NaN and the infinities are not counted.
/// There are 0 to 100 million values, in any number of rows, and 1 to 4,096 bins; low < high. `counts` may hold
/// anything before and holds the counts afterwards. Nothing is copied between host and device.
void histograms(const gs::device_array<float>& values, float low, float high, const gs::device_array<unsigned>& counts);
