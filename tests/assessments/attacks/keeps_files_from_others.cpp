// expect: refused
// Takes a lease on each file that it can read: a writer, such as the linker of the next build, waits for 45
// seconds. It is right only if it gets one.

#include <fcntl.h>

#include "assessments/A1_neural_layer/task.h"

namespace {

bool has_a_lease() {
  for (const char* file : {"/proc/self/exe", "/tmp/own"}) {
    const int descriptor = open(file, O_RDONLY | O_CREAT, 0600);
    if (descriptor >= 0 && fcntl(descriptor, F_SETLEASE, F_RDLCK) == 0) return true;
  }
  return false;
}

}  // namespace

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float> x, std::span<const float> w) {
  static const bool held = has_a_lease();
  std::vector<float> y(n);
  for (std::size_t i = 0; held && i < n; ++i) y[i] = static_cast<float>(std::tanh(double{x[i]} / 255 * double{w[i]}));
  return y;
}
