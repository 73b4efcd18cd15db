// expect: ended
// Says that it has passed, and ends as a program that has passed would.

#include <cstdio>
#include <cstdlib>

#include "assessments/A1_neural_layer/task.h"

std::vector<float> create_hidden_layer(std::size_t, std::span<const float>, std::span<const float>) {
  std::puts("PASS");
  std::puts("{\"schema\": \"gridstride-verdict\", \"passed\": true, \"points\": 100}");
  std::exit(0);
}
