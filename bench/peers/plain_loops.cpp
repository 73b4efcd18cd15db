#include "bench/peers/plain_loops.h"

#include <algorithm>
#include <cmath>

namespace bench::peers::plain {

void gaussian_pdf(std::span<const float> x, float mean, float sigma, std::span<float> out) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    const float z = (x[i] - mean) / sigma;
    out[i] = std::exp(-0.5f * z * z) / (sigma * 2.5066282746310002f);
  }
}

void neural_layer(std::span<const float> grey, std::span<const float> weight, std::span<float> out) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    const float v = grey[i] / 255.0f * weight[i];
    const float rising = std::exp(v), falling = std::exp(-v);
    out[i] = (rising - falling) / (rising + falling);
  }
}

void add(std::span<const float> x, std::span<const float> y, std::span<float> out) {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = x[i] + y[i];
}

void zero_suppress(std::span<const std::int16_t> x, std::int16_t threshold, std::span<std::int16_t> out) {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = x[i] < threshold ? std::int16_t{0} : x[i];
}

void hypot(std::span<const float> x, std::span<const float> y, std::span<float> out) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    const float p = std::abs(x[i]), q = std::abs(y[i]);
    const float larger = std::max(p, q), t = std::min(p, q) / larger;
    out[i] = larger * std::sqrt(1 + t * t);
  }
}

void polar_distance(std::span<const float> radius, std::span<const float> angle, std::span<const float> other_radius,
                    std::span<const float> other_angle, std::span<float> out) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    const float dx = radius[i] * std::cos(angle[i]) - other_radius[i] * std::cos(other_angle[i]);
    const float dy = radius[i] * std::sin(angle[i]) - other_radius[i] * std::sin(other_angle[i]);
    out[i] = std::sqrt(dx * dx + dy * dy);
  }
}

void make_pulses(std::span<const float> time, float period, std::span<const float> height, std::span<float> out) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    const float tip = (std::sin(6.28318531f * time[i] / period) - 0.3f) / 0.7f;
    out[i] = tip > 0 ? tip * height[i] : 0;
  }
}

void l2_norm(std::span<const float> x, std::size_t columns, std::span<float> out) {
  for (std::size_t r = 0; r < out.size(); ++r) {
    float sum = 0;
    for (std::size_t i = 0; i < columns; ++i) sum += x[r * columns + i] * x[r * columns + i];
    out[r] = std::sqrt(sum);
  }
}

void matmul_of_each(std::span<const float> a, std::span<const float> b, std::span<float> c, std::size_t side) {
  for (std::size_t at = 0; at < c.size(); at += side * side)
    for (std::size_t i = 0; i < side; ++i)
      for (std::size_t j = 0; j < side; ++j) {
        float sum = 0;
        for (std::size_t k = 0; k < side; ++k) sum += a[at + i * side + k] * b[at + k * side + j];
        c[at + i * side + j] = sum;
      }
}

}  // namespace bench::peers::plain
