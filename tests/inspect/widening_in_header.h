#pragma once
// A function in a header that the inspected file includes.

namespace cases {

inline float in_header(float x) { return static_cast<float>(x * 2.7); }

}  // namespace cases
