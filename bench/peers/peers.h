#pragma once
// The peers: what an expert writes by hand for one machine, with OpenMP over the cores and glibc's libmvec for vector
// math. Each in two variants, with plain and with streaming stores; the faster one is what the runtime has to match.
//
// All arrays of a call have the same length, any length. Streaming needs an output at a multiple of 64 bytes and falls
// back to plain stores without.

#include <cstdint>
#include <span>

#include "bench/limits/stores.h"

namespace bench::peers {

/// out = exp(-((x - mean) / sigma)^2 / 2) / (sigma * sqrt(2 pi)).
void gaussian_pdf(std::span<const float> x, float mean, float sigma, std::span<float> out, stores how);

/// Three steps in one loop: v = grey / 255 * weight; out = (e^v - e^-v) / (e^v + e^-v).
void neural_layer(std::span<const float> grey, std::span<const float> weight, std::span<float> out, stores how);

/// out = x + y.
void add(std::span<const float> x, std::span<const float> y, std::span<float> out, stores how);

/// out = x, or 0 where x is below the threshold.
void zero_suppress(std::span<const std::int16_t> x, std::int16_t threshold, std::span<std::int16_t> out, stores how);

/// out[r] = the Euclidean norm of row r of x, which has out.size() rows of that many columns. The compiler may add in
/// any order, and vectorises across rows of 2.
void l2_norm(std::span<const float> x, std::size_t columns, std::span<float> out);

/// The sum of x, in whatever order is fastest.
float reduce(std::span<const float> x);

}  // namespace bench::peers
