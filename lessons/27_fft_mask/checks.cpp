// What exercise 27 is checked for.

#include "workbook/exercise.h"
#include GRIDSTRIDE_EXERCISE

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <string>
#include <vector>

namespace {

// The kernel alone, on a spectrum of ones.
bool mask_of(std::size_t rows, std::size_t columns, std::size_t reach, workbook::report& report) {
  const std::string name =
      std::to_string(rows) + " x " + std::to_string(columns) + " waves, reach " + std::to_string(reach);
  gs::device_array<complex> s({rows, columns});
  s.copy_from_host(std::vector<complex>(rows * columns, 1));
  const auto launch = [&] { gs::launch<keep_slow_waves>({.grid = {2, 3}, .block = {16, 8}}, reach, s); };
  if (!is_clean(gs::inspect(launch), report)) return false;
  const std::vector<complex> got = s.copy_to_host();
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t column = 0; column < columns; ++column) {
      // The periods by their definition: the same on every whole row, and as few as they can be.
      auto down = static_cast<std::ptrdiff_t>(row);
      if (2 * row > rows) down -= static_cast<std::ptrdiff_t>(rows);
      const bool stays = std::abs(down) <= static_cast<std::ptrdiff_t>(reach) && column <= reach;
      const complex value = got[row * columns + column];
      if ((value == complex(1)) == stays && (value == complex(0)) != stays) continue;
      const std::string found = value == complex(1) ? "kept" : value == complex(0) ? "set to 0" : "changed";
      return report.check_equal(
          "of " + name + ": the wave in row " + std::to_string(row) + ", column " + std::to_string(column), found,
          std::string(stays ? "kept" : "set to 0"));
    }
  return report.check("the mask of " + name, true);
}

struct wave {
  int down, across;
  double height;
};

// A picture of a few waves. Those that are slow enough are all that is left.
bool picture(std::size_t rows, std::size_t columns, std::size_t reach, const std::vector<wave>& waves,
             workbook::report& report) {
  std::vector<float> values(rows * columns);
  std::vector<double> expected(rows * columns);
  for (std::size_t i = 0; i < values.size(); ++i) {
    double all = 0;
    for (const wave& w : waves) {
      const double turn = w.down * static_cast<double>(i / columns) / static_cast<double>(rows) +
                          w.across * static_cast<double>(i % columns) / static_cast<double>(columns);
      const double height = w.height * std::cos(2 * std::numbers::pi * turn + 0.3);
      all += height;
      if (std::abs(w.down) <= static_cast<int>(reach) && std::abs(w.across) <= static_cast<int>(reach))
        expected[i] += height;
    }
    values[i] = static_cast<float>(all);
  }
  image frame({rows, columns});
  frame.copy_from_host(values);
  const gs::ledger_scope scope;
  const image result = blurred(frame, reach);
  const gs::ledger account = scope.account();
  const std::string name =
      "a picture of " + std::to_string(rows) + " x " + std::to_string(columns) + ", reach " + std::to_string(reach);
  if (!report.check_equal(name + ", copies on the way", account.copies_to_device + account.copies_to_host, 0))
    return false;
  const std::vector<float> got = result.copy_to_host();
  if (!report.check_equal(name + ", size of the result", got.size(), expected.size())) return false;
  double largest = 0;
  for (std::size_t i = 0; i < got.size(); ++i)
    largest = std::max(largest, std::abs(static_cast<double>(got[i]) - expected[i]));
  return report.check_at_most(name + ", largest error", largest, 2e-5);
}

}  // namespace

workbook::exercise workbook::this_exercise() {
  return {.number = 27,
          .name = "fft_mask",
          .task = "a mask that keeps slow waves of both directions",
          .check = [](workbook::report& report) {
            struct example {
              std::size_t rows, columns, reach;
            };
            for (const auto& [rows, columns, reach] : std::vector<example>{{8, 5, 2},
                                                                           {9, 5, 3},
                                                                           {31, 17, 4},
                                                                           {32, 33, 1},
                                                                           {33, 3, 0},
                                                                           {1, 1, 0},
                                                                           {1, 31, 9},
                                                                           {2, 2, 1},
                                                                           {5, 40, 100},
                                                                           {97, 7, 48}})
              if (!mask_of(rows, columns, reach, report)) return;
            const std::vector<wave> waves = {{0, 0, 0.7}, {2, 3, 1},  {-2, 1, 0.8}, {-3, -3, 0.5},
                                             {7, 0, 2},   {-9, 2, 3}, {1, 8, 1}};
            if (!picture(37, 53, 3, waves, report) || !picture(53, 37, 2, waves, report)) return;
            picture(64, 48, 8, waves, report);
          }};
}
