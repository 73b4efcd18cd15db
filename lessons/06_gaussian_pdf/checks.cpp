// What exercise 06 is checked for.

#include "workbook/exercise.h"
#include GRIDSTRIDE_EXERCISE

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <numbers>
#include <regex>
#include <string>
#include <vector>

namespace {

// How many heights are off by more than ten roundings to float32.
std::size_t wrong(const std::vector<float>& x, const std::vector<float>& y, float middle, float width) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double w = static_cast<double>(width), t = (static_cast<double>(x[i]) - static_cast<double>(middle)) / w;
    const double expected = 1 / (std::numbers::pi * w * (1 + t * t));
    count += !(std::abs(static_cast<double>(y[i]) / expected - 1) <= 10 * 0x1p-24);
  }
  return count;
}

bool line_of(std::size_t n, float middle, float width, workbook::report& report) {
  const std::string name = "spectral_line of " + std::to_string(n) + " elements";
  const gs::device_array<float> x = gs::normal<float>({n}, n + 1);
  const gs::ledger_scope scope;
  const gs::device_array<float> y = spectral_line(x, middle, width);
  const gs::ledger account = scope.account();
  if (!report.check_equal(name + ", size of the result", y.size(), n)) return false;
  if (!report.check_equal(name + ", wrong heights", wrong(x.copy_to_host(), y.copy_to_host(), middle, width), 0))
    return false;
  if (n == 0) return true;
  return report.check_equal(name + ", copies", account.copies_to_device + account.copies_to_host, 0) &&
         report.check_equal(name + ", launches", account.launches, 1) &&
         report.check_equal(name + ", arrays made", account.allocations, 1);
}

// Without comments, and without pi that is made a float; with all of its lines.
std::string without_comments(std::string code) {
  const std::regex left_out(R"(//[^\n]*|/\*[\s\S]*?\*/|static_cast<float>\(std::numbers::pi\))");
  for (std::smatch found; std::regex_search(code, found, left_out);) {
    const std::string part = found.str();
    code.replace(static_cast<std::size_t>(found.position()), part.size(),
                 std::string(static_cast<std::size_t>(std::ranges::count(part, '\n')), '\n'));
  }
  return code;
}

// Whether a constant is a double can't be told from every result, so the check reads the code.
void nothing_wider(workbook::report& report) {
  std::ifstream file(workbook::checked_file());
  const std::string code = without_comments({std::istreambuf_iterator<char>(file), {}});
  const std::regex wide(
      R"(\bdouble\b|\bnumbers::pi\b|\bM_PI\b|(\b\d+\.\d*|\.\d+)(e[-+]?\d+)?(?![\w.])|\b\d+e[-+]?\d+(?!\w))",
      std::regex::icase);
  std::smatch found;
  if (!std::regex_search(code, found, wide)) {
    report.check_equal("float64 in the function", std::string("none"), "none");
    return;
  }
  const auto line = 1 + std::count(code.begin(), code.begin() + found.position(), '\n');
  report.check_equal("float64 in the function", found.str() + " in line " + std::to_string(line), "none");
}

}  // namespace

workbook::exercise workbook::this_exercise() {
  return {.number = 6,
          .name = "gaussian_pdf",
          .task = "three passes over memory in one, computed in float32",
          .check = [](workbook::report& report) {
            for (const std::size_t n : {1000, 1, 31, 32, 33, 10'007, 0})
              if (!line_of(n, 0.25f, 0.7f, report)) return;
            if (!line_of(1009, -3.5f, 11.3f, report)) return;
            nothing_wider(report);
          }};
}
