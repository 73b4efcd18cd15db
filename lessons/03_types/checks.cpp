// What exercise 03 is checked for.

#include "workbook/exercise.h"
#include GRIDSTRIDE_EXERCISE

#include <cmath>
#include <fstream>
#include <iterator>
#include <random>
#include <regex>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

template <class T, auto... functions>
void squares(gs::ufunc<functions...> f, const char* type, std::vector<T> x, std::vector<T> expected,
             workbook::report& report) {
  const std::string of = std::string("squared of ") + type;
  // A call that the ufunc has no signature for wouldn't compile, so it is asked first.
  constexpr bool takes = (std::is_same_v<decltype(functions), T (*)(T)> || ...);
  if (!report.check(of + " is there", takes)) return;
  if constexpr (takes) {
    std::vector<T> got(x.size(), T{77});
    f(x, gs::out(got));
    for (std::size_t i = 0; i < x.size(); ++i)
      if (!report.check_equal(of + " " + workbook::to_text(workbook::cell(x[i]), 17), got[i], expected[i])) return;
  }
}

// Floats near and far from 1, of both signs.
std::vector<float> floats() {
  std::mt19937 random(17);
  std::uniform_real_distribution<float> mantissa(-2, 2);
  std::vector<float> x{0, 1, -1, 10, 0.1f, 0.7f};
  while (x.size() < 1009) x.push_back(std::ldexp(mantissa(random), static_cast<int>(random() % 40) - 20));
  return x;
}

// volatile: each operation is rounded to float32, whatever the compiler would rather do.
float rounded(double v) {
  const volatile float f = static_cast<float>(v);
  return f;
}

template <class F, class G>
void same_floats(const char* name, F f, G expected, workbook::report& report) {
  for (const float x : floats())
    if (f(x) != expected(x)) {
      report.check_equal(std::string(name) + " of " + workbook::to_text(workbook::cell(x), 9) + " in float32", f(x),
                         expected(x));
      return;
    }
  report.check(std::string(name) + " computes in float32", true);
}

void signal(workbook::report& report) {
  // A product of two floats has 48 bits at most: float64 holds it exactly, and it is rounded once.
  same_floats("damped", damped, [](float x) { return rounded(static_cast<double>(0.1f) * x); }, report);
  same_floats(
      "cubed", cubed, [](float x) { return rounded(static_cast<double>(rounded(static_cast<double>(x) * x)) * x); },
      report);
  report.check_equal("is_noise(0.1f), which float32 calls equal", is_noise(0.1f), true);
  report.check_equal("is_noise of the next float above 0.1f", is_noise(std::nextafter(0.1f, 1.0f)), false);
  report.check_equal("is_noise of the next float below 0.1f", is_noise(std::nextafter(0.1f, 0.0f)), true);
  report.check_equal("is_noise(-3)", is_noise(-3), true);
  report.check_equal("is_noise(NaN)", is_noise(std::nanf("")), false);
}

// The learner's second part without its comments: from the first of the three functions to the clocks.
std::string code_of_the_signal() {
  std::ifstream file(workbook::checked_file());
  std::string text{std::istreambuf_iterator<char>(file), {}};
  text = std::regex_replace(text, std::regex("//[^\n]*|/\\*[\\s\\S]*?\\*/"), "");
  const std::size_t begin = text.find("damped"), end = text.rfind("GS_FN", text.find("seconds_between"));
  return begin == text.npos || begin > end ? text : text.substr(begin, end - begin);
}

// The product of two floats has the same bits whether it is rounded to a float at once or by way of a double, and
// where the compiler sees that, it leaves the double out. So the check reads the code, not a result.
void nothing_wider(workbook::report& report) {
  const std::string code = code_of_the_signal();
  const std::regex wide(
      R"(\b(long\s+)?double(_t)?\b|\bfloat64_t\b|(\b\d+\.\d*|\.\d+)(e[-+]?\d+)?(?![\w.])|\b\d+e[-+]?\d+(?!\w))",
      std::regex::icase);
  std::smatch found;
  const bool any = std::regex_search(code, found, wide);
  report.check_equal("float64 in damped, cubed and is_noise", any ? found.str() : "none", "none");
}

void clocks(workbook::report& report) {
  constexpr std::int64_t now = 1'800'000'000'123'456'789;
  report.check_equal("seconds from 0 to 2,500,000,000 ns", seconds_between(0, 2'500'000'000), 2.5);
  report.check_equal("seconds from 0 to -2,500,000,000 ns", seconds_between(0, -2'500'000'000), -2.5);
  for (const std::int64_t step : {0LL, 1LL, 31LL, -33LL, 1'000'003LL, 86'400'000'000'001LL, -86'400'000'000'001LL})
    report.check_near("seconds from now to " + std::to_string(step) + " ns later", seconds_between(now, now + step),
                      static_cast<double>(step) / 1e9, 1e-12);
}

}  // namespace

workbook::exercise workbook::this_exercise() {
  return {.number = 3,
          .name = "types",
          .task = "one function for three types, three hidden doubles, and the type that a clock needs",
          .check = [](workbook::report& report) {
            squares<float>(squared, "float", {3, -0.5f, 4'097, 0}, {9, 0.25f, 16'785'408, 0}, report);
            squares<double>(squared, "double", {3, -0.5, 4'097, 0.1, 1e30},
                            {9, 0.25, 16'785'409, 0.1 * 0.1, 1e30 * 1e30}, report);
            squares<std::int64_t>(squared, "std::int64_t", {-3, 0, 4'097, 94'906'267, 3'037'000'499},
                                  {9, 0, 16'785'409, 9'007'199'515'875'289, 9'223'372'030'926'249'001}, report);
            signal(report);
            nothing_wider(report);
            clocks(report);
          }};
}
