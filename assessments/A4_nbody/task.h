#pragma once
// Task A4: the function you write. README.md says what it must do.

#include <cmath>
#include <cstddef>

#include "runtime/gs.h"

/// Moves n bodies under their own gravity, `steps` times. In each step, from the positions before it, for all bodies i:
///
///   pull(i)      = sum over all j of  mass(j) * (x(j) - x(i)) / (|x(j) - x(i)|^2 + softening^2)^(3/2)
///   v(i) after   = v(i) + step * pull(i)
///   x(i) after   = x(i) + step * v(i) after
///
/// `positions` and `velocities` have the shape (3, n), x first, then y, then z; `masses` has n elements. They stay as
/// they are. `positions_after` and `velocities_after`, of the same shapes, may hold anything before. There are 0 to
/// 5,003 bodies, 0 steps or more, and softening > 0. Nothing is copied between host and device.
void advance(const gs::device_array<float>& positions, const gs::device_array<float>& velocities,
             const gs::device_array<float>& masses, float softening, float step, unsigned steps,
             const gs::device_array<float>& positions_after, const gs::device_array<float>& velocities_after);
