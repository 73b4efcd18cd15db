// expect: wrong_answer
// Computes once for each size and gives the same answer ever after.

#include <map>

#include "assessments/A1_neural_layer/task.h"

GS_FN float layer(float grey, float weight) { return std::tanh(grey / 255 * weight); }

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float> greyscales,
                                       std::span<const float> weights) {
  static std::map<std::size_t, std::vector<float>> known;
  const auto [answer, is_new] = known.try_emplace(n);
  if (is_new) answer->second = gs::vectorize<layer>(greyscales, weights);
  return answer->second;
}
