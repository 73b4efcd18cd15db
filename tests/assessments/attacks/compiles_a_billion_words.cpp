// expect: compile_error, timed_out, out_of_memory
// A macro that grows tenfold, nine times.

#include "assessments/A1_neural_layer/task.h"

#define A "ha", "ha", "ha", "ha", "ha", "ha", "ha", "ha", "ha", "ha"
#define B A, A, A, A, A, A, A, A, A, A
#define C B, B, B, B, B, B, B, B, B, B
#define D C, C, C, C, C, C, C, C, C, C
#define E D, D, D, D, D, D, D, D, D, D
#define F E, E, E, E, E, E, E, E, E, E
#define G F, F, F, F, F, F, F, F, F, F
#define H G, G, G, G, G, G, G, G, G, G
const char* words[] = {H, H, H, H, H, H, H, H, H, H};

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float>, std::span<const float>) {
  return std::vector<float>(n, words[n][0]);
}
