// Lesson 00: a first look. A picture made by a universal function and a kernel, and the account of what that took.

#include <algorithm>
#include <cmath>
#include <vector>

#include "runtime/gs.h"
#include "workbook/lesson.h"

// An ordinary function: call it, test it, step through it.
GS_FN float ripple(float y, float x) {
  const float r = std::sqrt(x * x + y * y);
  return std::exp(-0.3f * r) * std::cos(5 * r);
}
constexpr auto ripples = gs::vectorize<ripple>;  // now it takes arrays, and broadcasts them as NumPy does

// A kernel: what one of many threads does.
GS_FN void flood(gs::thread t, gs::view<float> height, float level) {
  for (auto i : t.grid_stride(height.size()))
    if (height[i] < level) height[i] = level;
}

void run(const workbook::parameters& given, workbook::report& report) {
  std::vector<float> axis(given.size());
  for (std::size_t i = 0; i < axis.size(); ++i)
    axis[i] = 8.0f * static_cast<float>(i) / static_cast<float>(axis.size() - 1) - 4;

  const gs::ledger_scope scope;
  const auto x = gs::to_device(axis);
  const auto height = ripples.outer(x, x);                                      // every y with every x, on the device
  gs::launch<flood>({.grid = 64, .block = 256}, height.reshape({-1}), -0.25f);  // returns at once
  const std::vector<float> picture = height.copy_to_host();                     // waits
  report.account("what happened", scope.account());

  report.check("nothing lies below the water", *std::ranges::min_element(picture) == -0.25f);
  report.plot(workbook::heat_map{.title = "Ripples",
                                 .value = {.label = "height"},
                                 .rows = axis.size(),
                                 .columns = axis.size(),
                                 .values = picture});
}

workbook::lesson workbook::this_lesson() {
  return {.number = 0,
          .name = "ripples",
          .title = "A first look",
          .summary = "A picture made by a universal function and a kernel, and the account of what that took.",
          .parameters = {workbook::integer{
              .name = "size", .text = "points along each side", .min = 2, .max = 4000, .default_value = 400}},
          .run = run};
}
