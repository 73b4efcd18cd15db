// A function whose body is not in the file that is inspected.

namespace cases {

float elsewhere(float x) { return x + 1.0f; }

}  // namespace cases
