// Exercise 42: how a classifier learns: its loss, the loss's gradient, and a step of Adam; ./gridstride check 42 asks
// for numbers that a network really meets.

#include <cmath>
#include <cstddef>

#include "runtime/gs.h"

// 1. The loss of one row of scores: -log of the share that softmax gives to the right class,
//   exp(scores[label]) / (exp(scores[0]) + exp(scores[1]) + ...).
// It is right for small scores. It must be right for scores of 1000 and of -1000, too.
GS_FN void loss_of_row(gs::view<const float> scores, int label, float& loss) {
  // Your turn.
  float largest = scores[0], sum = 0;
  for (float score : scores) largest = score > largest ? score : largest;
  for (float score : scores) sum += std::exp(score - largest);
  loss = std::log(sum) - (scores[label] - largest);
  //= float sum = 0;
  //= for (float score : scores) sum += std::exp(score);
  //= loss = -std::log(std::exp(scores[label]) / sum);
  // Until here.
}

// 2. How fast that loss changes with each score, times `gradient`, which is how fast the whole changes with this loss.
GS_FN void adjoint_of_row(gs::view<const float> scores, int label, float gradient, gs::view<float> by_scores) {
  // Your turn.
  float largest = scores[0], sum = 0;
  for (float score : scores) largest = score > largest ? score : largest;
  for (float score : scores) sum += std::exp(score - largest);
  for (std::size_t k = 0; k < scores.size(); ++k) by_scores[k] = gradient * std::exp(scores[k] - largest) / sum;
  by_scores[label] -= gradient;
  //= for (std::size_t k = 0; k < scores.size(); ++k) by_scores[k] = gradient * scores[k];
  //= by_scores[label] -= gradient;
  // Until here.
}

// What Adam remembers of a weight: the mean of its gradients, and of their squares. Both begin at 0.
struct moments {
  float mean, square;
};

// 3. A step of Adam: remembers the gradient, and returns what is to be added to the weight.
//   mean = 0.9 mean + 0.1 gradient, square = 0.999 square + 0.001 gradient^2;
//   then both, divided by the part that has been gathered by now, 1 - 0.9^step and 1 - 0.999^step;
//   the weight goes down by rate * mean / (sqrt(square) + 1e-8).
// `step` counts from 1. What is remembered stays undivided.
GS_FN float adam_change(float gradient, int step, float rate, moments& m) {
  // Your turn.
  m.mean = 0.9f * m.mean + 0.1f * gradient;
  m.square = 0.999f * m.square + 0.001f * gradient * gradient;
  const float mean = m.mean / (1 - std::pow(0.9f, static_cast<float>(step)));
  const float square = m.square / (1 - std::pow(0.999f, static_cast<float>(step)));
  return -rate * mean / (std::sqrt(square) + 1e-8f);
  //= m = {gradient, gradient * gradient};
  //= return -rate * gradient * static_cast<float>(step);
  // Until here.
}
