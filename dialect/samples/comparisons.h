#pragma once
// What the sources of NVIDIA's cuda-samples take from their helper_image.h to compare results. The names are theirs.

#include <cmath>
#include <cstdio>

/// Whether the distance of the two is at most `tolerance` times the length of the first, both Euclidean.
inline bool sdkCompareL2fe(const float* expected, const float* found, unsigned count, float tolerance) {
  double difference = 0, length = 0;
  for (unsigned i = 0; i < count; ++i) {
    const double d = static_cast<double>(expected[i]) - found[i];
    difference += d * d;
    length += static_cast<double>(expected[i]) * expected[i];
  }
  return length > 0 && std::sqrt(difference) <= tolerance * std::sqrt(length);
}

/// Whether the numbers that differ by `tolerance` or more are fewer than the share `wrong` of all, or, if that is 0,
/// there are none.
template <class T, class S>
bool compareData(const T* expected, const T* found, unsigned count, S tolerance, float wrong) {
  unsigned far = 0;
  for (unsigned i = 0; i < count; ++i) {
    const double d = std::abs(static_cast<double>(expected[i]) - static_cast<double>(found[i]));
    if (!(d <= static_cast<double>(tolerance))) ++far;
  }
  return wrong == 0 ? far == 0 : static_cast<float>(far) < wrong * static_cast<float>(count);
}
template <class T>
bool compareArrays(const T* expected, const T* found, unsigned count) {
  return compareData(expected, found, count, 0, 0.0f);
}
