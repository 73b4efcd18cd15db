// Lesson 38: array programming. One expression of arrays three ways: what its temporaries cost.

#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "runtime/gs.h"
#include "runtime/numpy/numpy.h"
#include "workbook/lesson.h"

using array = gs::device_array<float>;

// Numbers to scores between 0 and 1: 1 / (1 + exp(-(x - mean) / deviation)), as it would be written with NumPy.
array score_by_operators(const array& x, const array& mean, const array& deviation) {
  return 1.0f / (1.0f + gs::exp(-((x - mean) / deviation)));
}

// The same six loops, all in one array.
void score_in_place(const array& x, const array& mean, const array& deviation, array& score) {
  gs::subtract(x, mean, gs::out(score));
  score /= deviation;
  gs::negative(score, gs::out(score));
  gs::exp(score, gs::out(score));
  score += 1.0f;
  gs::reciprocal(score, gs::out(score));
}

// The same in one loop.
GS_FN float score_of(float x, float mean, float deviation) { return 1 / (1 + std::exp(-((x - mean) / deviation))); }
inline constexpr auto fused_score = gs::vectorize<score_of>;

// NumPy's names, on the device.
void names(workbook::report& report) {
  report.heading("NumPy's names");
  const auto row = gs::arange(6).reshape({2, 3});
  const auto column = gs::transpose(row);
  workbook::table& table = report.table("Small arrays", {"expression", "shape", "elements"});
  const auto show = [&](const std::string& expression, const auto& x) {
    std::string elements;
    for (const auto element : x.copy_to_host()) {
      if (!elements.empty()) elements += ' ';
      elements += std::to_string(+element);
    }
    table.row(expression, gs::to_string(x.shape()), elements);
  };
  show("x = arange(6).reshape({2, 3})", row);
  show("transpose(x)", column);
  show("x * x - 1", row * row - 1);
  show("sum(x, axis(0))", gs::sum(row, gs::axis(0)));
  show("where(x > 2, x, -x)", gs::where(row > 2, row, -row));
  show("floor_divide(-x, 2)", gs::floor_divide(-row, 2));
  report.check("floor_divide rounds down, as Python does",
               gs::floor_divide(-row, 2).copy_to_host() == std::vector<int>{0, -1, -1, -2, -2, -3});
}

void run(const workbook::parameters& given, workbook::report& report) {
  names(report);

  report.heading("One expression, three ways");
  const array x = gs::normal<float>(given.size(), given.seed());
  const array mean = gs::mean(x), deviation = gs::sqrt(gs::var(x));  // of shape (); they stay on the device
  array score = gs::device_array_like(x);

  struct way {
    std::string name;
    std::function<void()> call;
    std::uint64_t launches, allocations;  // that it ought to make
  };
  const std::vector<way> ways{
      {"operators", [&] { score = score_by_operators(x, mean, deviation); }, 6, 6},
      {"in place", [&] { score_in_place(x, mean, deviation, score); }, 6, 0},
      {"fused", [&] { fused_score(x, mean, deviation, gs::out(score)); }, 1, 0},
  };

  // In float64, from what lies on the device.
  const std::vector<float> numbers = x.copy_to_host();
  const double m = static_cast<double>(mean.copy_to_host()[0]), d = static_cast<double>(deviation.copy_to_host()[0]);
  const auto worst_error = [&] {
    const std::vector<float> found = score.copy_to_host();
    double worst = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      const double expected = 1 / (1 + std::exp(-(static_cast<double>(numbers[i]) - m) / d));
      worst = std::fmax(worst, std::fabs(static_cast<double>(found[i]) - expected));
    }
    return worst;
  };

  std::vector<gs::ledger> accounts;
  std::vector<double> errors;
  for (const way& w : ways) {
    const gs::ledger_scope scope;
    w.call();
    accounts.push_back(scope.account());
    errors.push_back(worst_error());
    gs::fill_uniform(score, 1);  // a result of this way must not pass for the next one's
  }
  for (std::size_t k = 0; k < ways.size(); ++k) report.account(ways[k].name, accounts[k]);
  for (std::size_t k = 0; k < ways.size(); ++k) {
    report.check_equal(ways[k].name + ": loops", accounts[k].launches, ways[k].launches);
    report.check_equal(ways[k].name + ": new arrays", accounts[k].allocations, ways[k].allocations);
    report.check_at_most(ways[k].name + ": largest error of a score", errors[k], 1e-6);
  }

  std::vector<std::string> names;
  std::vector<double> milliseconds;
  for (const way& w : ways) {
    const gs::timing time = gs::timeit(
        [&] {
          w.call();
          gs::synchronize();
        },
        {.min_run_seconds = 0.05, .max_seconds = 2});
    report.timing(w.name, time);
    names.push_back(w.name);
    milliseconds.push_back(1e3 * time.best());
  }
  report.plot(workbook::bar_plot{.title = "Time of one expression",
                                 .categories = names,
                                 .value = {.label = "time", .unit = "ms", .min = 0},
                                 .groups = {{.name = "", .values = milliseconds}}});
}

workbook::lesson workbook::this_lesson() {
  return {.number = 38,
          .name = "array_programming",
          .title = "Expressions of arrays",
          .summary = "NumPy's names on the device: what an expression's temporaries cost, and the same in one loop.",
          .parameters = {workbook::integer{.name = "size",
                                           .text = "numbers in the array",
                                           .min = 2,
                                           .max = 100'000'000,
                                           .default_value = 10'000'000,
                                           .inspected = 100'000}},
          .run = run};
}
