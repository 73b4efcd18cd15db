// What the warm-up for 04 is checked for.

#include "workbook/exercise.h"
#include GRIDSTRIDE_EXERCISE

#include <string>
#include <vector>

GS_FN float sum_for_warm_up(float a, float b) { return a + b; }

namespace {

constexpr auto add = gs::vectorize<sum_for_warm_up>;

std::string in_words(const std::optional<std::size_t>& extent) {
  return extent ? std::to_string(*extent) : "none, they don't fit";
}

// What the library makes of two such arrays.
std::optional<std::size_t> asked(std::size_t a, std::size_t b) {
  try {
    return add(gs::to_device(std::vector<float>(a)), gs::to_device(std::vector<float>(b))).size();
  } catch (const gs::error&) {
    return std::nullopt;
  }
}

}  // namespace

workbook::exercise workbook::this_exercise() {
  return {.number = 4,
          .name = "ufunc",
          .task = "the rule of broadcasting, along one dimension",
          .check = [](workbook::report& report) {
            constexpr std::size_t extents[][2] = {{3, 3}, {1, 4},   {4, 1},    {3, 4},  {4, 3}, {1, 1},
                                                  {2, 4}, {6, 3},   {0, 1},    {1, 0},  {0, 0}, {0, 5},
                                                  {5, 0}, {31, 32}, {1009, 1}, {33, 33}};
            for (const auto& [a, b] : extents)
              if (!report.check_equal("elements of a sum of " + std::to_string(a) + " and " + std::to_string(b),
                                      in_words(extent_of_sum(a, b)), in_words(asked(a, b))))
                return;
          }};
}
