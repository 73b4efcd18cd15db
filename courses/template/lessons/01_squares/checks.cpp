// What exercise 01 is checked for.

#include <vector>

#include "workbook/exercise.h"
#include GRIDSTRIDE_EXERCISE

workbook::exercise workbook::this_exercise() {
  return {.number = 1, .name = "squares", .task = "each element's square", .check = [](workbook::report& report) {
            for (const std::size_t n : {1, 33, 1009}) {
              const auto x = gs::to_device(std::vector<float>(n, -3));
              report.inspection(gs::inspect([&] { gs::launch<square_all>({.grid = 2, .block = 32}, x); }));
              report.check("-3 becomes 9", x.copy_to_host() == std::vector<float>(n, 9));
            }
          }};
}
