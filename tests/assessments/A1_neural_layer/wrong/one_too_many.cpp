// expect: wrong_answer
// A value more than was asked for.

#include "assessments/A1_neural_layer/task.h"

GS_FN float layer(float grey, float weight) { return std::tanh(grey / 255 * weight); }

std::vector<float> create_hidden_layer(std::size_t, std::span<const float> greyscales, std::span<const float> weights) {
  std::vector<float> answer = gs::vectorize<layer>(greyscales, weights);
  answer.push_back(0);
  return answer;
}
