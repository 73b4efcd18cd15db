// Lesson 37: derivatives by the program itself: dual numbers, gs::grad, and a tape of array calls.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "runtime/grad/check_gradient.h"
#include "runtime/grad/grad.h"
#include "runtime/grad/tape.h"
#include "runtime/gs.h"
#include "runtime/numpy/numpy.h"
#include "workbook/lesson.h"

// A number, and its slope: how fast it changes with x. Every operation knows the rule for both.
struct sloped {
  double value, slope;
};
GS_FN sloped operator*(sloped a, sloped b) { return {a.value * b.value, a.slope * b.value + a.value * b.slope}; }
GS_FN sloped sin(sloped a) { return {std::sin(a.value), std::cos(a.value) * a.slope}; }

// A function of any number: of floats, of doubles, and of those that carry their slope.
struct wave {
  template <class T>
  GS_FN T operator()(T x) const {
    using std::sin;
    return sin(x * x) * x;
  }
};
double slope_of_wave(double x) { return 2 * x * x * std::cos(x * x) + std::sin(x * x); }  // by hand

void by_hand(workbook::report& report) {
  report.heading("Numbers that carry their slope");
  const double x = 1.25;
  const sloped found = wave()(sloped{x, 1});  // x changes as fast as x
  report.check_near("slope of x sin(x^2) at 1.25", found.slope, slope_of_wave(x), 1e-15);
  report.check_near("the same by gs::grad", gs::grad<wave{}>(x), slope_of_wave(x), 1e-15);
  report.check_near("its slope again: the second derivative", gs::grad<gs::grad<wave{}>>(x),
                    6 * x * std::cos(x * x) - 4 * x * x * x * std::sin(x * x), 1e-14);
}

void beside_differences(workbook::report& report) {
  report.heading("Beside finite differences");
  const double x = 1.25, exact = slope_of_wave(x);
  std::vector<double> steps, forward, central;
  for (double step = 1e-14; step < 1; step *= 10) {
    steps.push_back(step);
    forward.push_back(std::max(1e-17, std::fabs((wave()(x + step) - wave()(x)) / step - exact)));
    central.push_back(std::max(1e-17, std::fabs((wave()(x + step) - wave()(x - step)) / (2 * step) - exact)));
  }
  report.plot(workbook::xy_plot{
      .title = "Error of a difference",
      .x = {.label = "step", .log = true},
      .y = {.label = "error of the slope", .log = true},
      .series = {{.name = "forward", .x = steps, .y = forward, .style = workbook::drawn_as::line_and_points},
                 {.name = "central", .x = steps, .y = central, .style = workbook::drawn_as::line_and_points}},
      .references = {{.at = 2e-16, .label = "dual numbers"}}});
  const gs::gradient_check check = gs::check_gradient<wave{}>(x);
  report.check("gs::check_gradient agrees", check.agrees());
  report.check("no difference is as good as the dual number",
               *std::ranges::min_element(central) > std::fabs(gs::grad<wave{}>(x) - exact));
}

void in_one_loop(std::size_t n, workbook::report& report) {
  report.heading("What a slope costs");
  const auto x = gs::linspace(-3.0f, 3.0f, n);
  auto y = gs::device_array_like(x), slope = gs::device_array_like(x);
  constexpr auto waves = gs::vectorize<wave{}>;
  {
    const gs::ledger_scope scope;
    gs::value_and_grad<wave{}>(x, gs::out(y), gs::out(slope));
    report.account("value and slope", scope.account());
    report.check_equal("loops", scope.account().launches, 1);
  }
  const std::vector<float> numbers = x.copy_to_host(), slopes = slope.copy_to_host();
  double worst = 0;
  for (std::size_t i = 0; i < n; ++i)
    worst = std::max(worst, std::fabs(static_cast<double>(slopes[i]) - slope_of_wave(static_cast<double>(numbers[i]))));
  report.check("every slope is right to 1e-4", worst < 1e-4);
  const gs::timeit_options options{.min_run_seconds = 0.02, .max_seconds = 1};
  report.timing("value", gs::timeit([&] { waves(x, gs::out(y)), gs::synchronize(); }, options));
  report.timing(
      "value and slope",
      gs::timeit([&] { gs::value_and_grad<wave{}>(x, gs::out(y), gs::out(slope)), gs::synchronize(); }, options));
}

// A line through points, found by walking downhill.
void a_tape(std::uint64_t seed, workbook::report& report) {
  report.heading("Downhill");
  const auto x = gs::linspace(-1.0, 1.0, 1000);
  const auto y = x * 3.0 + 0.5 + gs::normal<double>(1000, seed) * 0.1;  // slope 3, height 0.5, and noise
  const auto loss = gs::taped([&](auto& tape, auto slope, auto height) {
    const auto miss = slope * x + height - y;
    return tape.mean(miss * miss);
  });
  auto slope = gs::zeros<double>(1), height = gs::zeros<double>(1);
  std::vector<double> steps, losses;
  for (int step = 0; step < 60; ++step) {
    const auto [value, by_slope, by_height] = loss.value_and_grad(slope, height);
    slope -= by_slope * 0.5;
    height -= by_height * 0.5;
    steps.push_back(step);
    losses.push_back(value.copy_to_host()[0]);
  }
  report.plot(workbook::xy_plot{.title = "The loss, step by step",
                                .x = {.label = "step"},
                                .y = {.label = "mean squared error", .log = true},
                                .series = {{.name = "", .x = steps, .y = losses}}});
  report.check_near("slope", slope.copy_to_host()[0], 3, 0.05);
  report.check_near("height", height.copy_to_host()[0], 0.5, 0.02);

  // A gradient needs what its calls have read.
  try {
    gs::taped([&](auto& tape, auto s) {
      const auto result = tape.sum(s * s);
      slope += 1.0;
      return result;
    }).grad(slope);
    report.check("an overwritten array is refused", false);
  } catch (const gs::error& refused) {
    const std::string text = refused.what();
    report.paragraph("Overwritten too early: " +
                     text.substr(text.rfind("lesson.cpp:") == text.npos ? 0 : text.rfind("lesson.cpp:")) + ".");
    report.check("an overwritten array is refused", refused.found().find("overwritten") != std::string::npos);
  }
}

void run(const workbook::parameters& given, workbook::report& report) {
  by_hand(report);
  beside_differences(report);
  in_one_loop(given.size(), report);
  a_tape(given.seed(), report);
}

workbook::lesson workbook::this_lesson() {
  return {.number = 37,
          .name = "autograd",
          .title = "Derivatives by the program itself",
          .summary = "Numbers that carry their slope, and a tape of array calls: gradients to the last digit.",
          .parameters = {workbook::integer{.name = "size",
                                           .text = "numbers whose slope is computed",
                                           .min = 1,
                                           .max = 100'000'000,
                                           .default_value = 1'000'000,
                                           .inspected = 50'000}},
          .run = run};
}
