// Three ufuncs on device arrays: only the first two copies and the last one cross.

#include "assessments/A1_neural_layer/task.h"

GS_FN float normalize(float grey) { return grey / 255; }
GS_FN float weigh(float x, float weight) { return x * weight; }
GS_FN float activate(float x) { return std::tanh(x); }

std::vector<float> create_hidden_layer(std::size_t, std::span<const float> greyscales, std::span<const float> weights) {
  const auto x = gs::to_device(greyscales), w = gs::to_device(weights);
  gs::vectorize<normalize>(x, gs::out(x));
  gs::vectorize<weigh>(x, w, gs::out(x));
  gs::vectorize<activate>(x, gs::out(x));
  return x.copy_to_host();
}
