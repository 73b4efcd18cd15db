// expect: ended
// Ends with status 0 before anything that was registered for the end can run.

#include <unistd.h>

#include "assessments/A1_neural_layer/task.h"

std::vector<float> create_hidden_layer(std::size_t, std::span<const float>, std::span<const float>) { _exit(0); }
