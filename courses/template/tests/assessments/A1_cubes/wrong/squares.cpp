// expect: wrong_answer

#include "assessments/A1_cubes/task.h"

GS_FN float square(float x) { return x * x; }

std::vector<float> cubes(std::span<const float> values) {
  const auto x = gs::to_device(values);
  gs::vectorize<square>(x, gs::out(x));
  return x.copy_to_host();
}
