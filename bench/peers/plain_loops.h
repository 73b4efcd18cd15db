#pragma once
// The loops that one writes first: one core, the standard library's functions, whatever the compiler makes of it.
// peers.h says what they compute.

#include <cstddef>
#include <cstdint>
#include <span>

namespace bench::peers::plain {

void gaussian_pdf(std::span<const float> x, float mean, float sigma, std::span<float> out);
void neural_layer(std::span<const float> grey, std::span<const float> weight, std::span<float> out);
void add(std::span<const float> x, std::span<const float> y, std::span<float> out);
void zero_suppress(std::span<const std::int16_t> x, std::int16_t threshold, std::span<std::int16_t> out);
void hypot(std::span<const float> x, std::span<const float> y, std::span<float> out);
void polar_distance(std::span<const float> radius, std::span<const float> angle, std::span<const float> other_radius,
                    std::span<const float> other_angle, std::span<float> out);
void make_pulses(std::span<const float> time, float period, std::span<const float> height, std::span<float> out);
void l2_norm(std::span<const float> x, std::size_t columns, std::span<float> out);
void matmul_of_each(std::span<const float> a, std::span<const float> b, std::span<float> c, std::size_t side);

}  // namespace bench::peers::plain
