// Lesson 06: the bell curve over many numbers, on one core, on all, and on the device. What limits the speed?

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "runtime/gs.h"
#include "workbook/lesson.h"

// The normal distribution's density at x. Every constant is a float: one double among them would widen the whole line.
GS_FN float gaussian(float x, float mean, float sigma) {
  const float t = (x - mean) / sigma;
  return std::exp(-0.5F * t * t) / (sigma * 2.50662827F);  // 2.50662827 is sqrt(2 pi)
}
// The same traffic without the arithmetic: one number read, one written.
GS_FN float same(float x) { return x; }

inline constexpr auto gaussian_pdf = gs::vectorize<gaussian>;
inline constexpr auto copy = gs::vectorize<same>;

// Per element: x - mean, / sigma, * -0.5, * t, / (...), and an exponential, which is a polynomial and some bit work,
// about ten operations. sigma * sqrt(2 pi) is the same for all and computed once.
constexpr double operations_per_element = 5 + 10;
constexpr double bytes_per_element = sizeof(float) + sizeof(float);  // x read, y written

double gaussian_float64(double x, double mean, double sigma) {
  const double t = (x - mean) / sigma;
  return std::exp(-0.5 * t * t) / (sigma * std::sqrt(2 * 3.14159265358979323846));
}

std::vector<float> random_numbers(std::size_t n, std::uint64_t seed, float mean, float sigma) {
  std::mt19937 random(static_cast<std::mt19937::result_type>(seed));
  std::uniform_real_distribution<float> within(mean - 4 * sigma, mean + 4 * sigma);
  std::vector<float> x(n);
  for (float& value : x) value = within(random);
  return x;
}

void curve(float mean, float sigma, workbook::report& report) {
  report.heading("The curve, and how exact it is");
  std::vector<float> x(401);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = mean + sigma * (static_cast<float>(i) - 200) / 50;
  const std::vector<float> y = gaussian_pdf(x, mean, sigma);
  std::vector<double> error;
  for (std::size_t i = 0; i < x.size(); ++i) error.push_back(1e6 * (y[i] / gaussian_float64(x[i], mean, sigma) - 1));
  report.plot(workbook::xy_plot{.title = "The normal distribution's density",
                                .x = {.label = "x"},
                                .y = {.label = "density", .min = 0},
                                .series = {{.name = "gaussian_pdf", .x = x, .y = y}}});
  report.plot(workbook::xy_plot{
      .title = "Relative error of float32",
      .x = {.label = "x"},
      .y = {.label = "relative error", .unit = "millionths"},
      .series = {{.name = "against float64", .x = x, .y = error, .style = workbook::drawn_as::points}}});
}

double largest_relative_error(const std::vector<float>& x, const std::vector<float>& y, float mean, float sigma) {
  double largest = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double error = std::abs(y[i] / gaussian_float64(x[i], mean, sigma) - 1);
    largest = std::max(largest, std::isnan(error) ? std::numeric_limits<double>::infinity() : error);
  }
  return largest;
}

void compare(const workbook::parameters& given, workbook::report& report) {
  report.heading("Who is fastest, and why");
  const std::size_t n = given.size();
  const auto mean = static_cast<float>(given.real("mean")), sigma = static_cast<float>(given.real("sigma"));
  const std::vector<float> x = random_numbers(n, given.seed(), mean, sigma);
  const auto x_device = gs::to_device(x);
  auto y_device = gs::device_array_like(x_device);
  std::vector<float> y(n);

  // One way to compute: its call of the density, and its plain copy.
  struct way {
    std::string name;
    std::function<void()> density, copy;
    bool fetch = false;
  };
  const auto on = [&](gs::target target, std::string name) {
    return way{.name = std::move(name),
               .density = [&, target] { gaussian_pdf.on(target)(x, mean, sigma, gs::out(y)); },
               .copy = [&, target] { copy.on(target)(x, gs::out(y)); }};
  };
  const std::vector<way> ways{on(gs::target::cpu, "cpu, one core"),
                              on(gs::target::parallel, "cpu, all cores"),
                              on(gs::target::device, "device, host arrays"),
                              {.name = "device, device arrays",
                               .density =
                                   [&] {
                                     gaussian_pdf(x_device, mean, sigma, gs::out(y_device));
                                     gs::synchronize();  // a call with device arrays only queues the work
                                   },
                               .copy =
                                   [&] {
                                     copy(x_device, gs::out(y_device));
                                     gs::synchronize();
                                   },
                               .fetch = true}};

  const double operations = operations_per_element * static_cast<double>(n);
  const gs::timeit_options quick{.min_run_seconds = 0.05, .max_seconds = 3};
  auto& table =
      report.table("Time of a call", {"where", "gaussian_pdf", "a copy", "ratio", "arithmetic", "copied to and fro"});
  std::vector<std::string> names;
  std::vector<double> density_ms, copy_ms;
  for (const way& w : ways) {
    report.progress(static_cast<double>(names.size()), static_cast<double>(ways.size()), w.name);
    const double copy_time = gs::timeit(w.copy, quick).best();
    std::ranges::fill(y, std::numeric_limits<float>::quiet_NaN());  // a result of an earlier way must not pass
    y_device.copy_from_host(y);
    const gs::ledger_scope scope;
    w.density();
    const auto crossed = scope.account().bytes_to_device + scope.account().bytes_to_host;
    const double density_time = gs::timeit(w.density, quick).best();
    if (w.fetch) y_device.copy_to_host(y);

    table.row(w.name, workbook::seconds(density_time), workbook::seconds(copy_time), density_time / copy_time,
              workbook::operations_per_second(operations / density_time),
              workbook::bytes(static_cast<double>(crossed)));
    // 26 units of 2^-23: |x - mean| / sigma is at most 4, and its rounding errors count 4 * 4 times in the exponent.
    report.check_at_most(w.name + ": largest relative error against float64", largest_relative_error(x, y, mean, sigma),
                         26 * std::numeric_limits<float>::epsilon());
    names.push_back(w.name);
    density_ms.push_back(1e3 * density_time);
    copy_ms.push_back(1e3 * copy_time);
  }
  report.plot(workbook::bar_plot{
      .title = "Time of a call",
      .categories = names,
      .value = {.label = "time", .unit = "ms", .min = 0},
      .groups = {{.name = "gaussian_pdf", .values = density_ms}, {.name = "a copy", .values = copy_ms}}});
}

void run(const workbook::parameters& given, workbook::report& report) {
  auto& table = report.table("Work per element", {"what", "how much", "unit"});
  table.row("arithmetic", operations_per_element, "operations");
  table.row("memory", bytes_per_element, "bytes");
  table.row("arithmetic intensity", operations_per_element / bytes_per_element, "operations per byte");
  curve(static_cast<float>(given.real("mean")), static_cast<float>(given.real("sigma")), report);
  compare(given, report);
}

workbook::lesson workbook::this_lesson() {
  return {.number = 6,
          .name = "gaussian_pdf",
          .title = "What limits the speed",
          .summary =
              "The bell curve over a million numbers: arithmetic, memory and copies, and which of them you wait for.",
          .parameters =
              {workbook::integer{.name = "size",
                                 .text = "numbers; try 100M",
                                 .min = 1,
                                 .max = 200'000'000,
                                 .default_value = 1'000'000,
                                 .inspected = 100'000},
               workbook::real{
                   .name = "mean", .text = "the middle of the curve", .min = -100, .max = 100, .default_value = 0},
               workbook::real{.name = "sigma", .text = "its width", .min = 0.01, .max = 100, .default_value = 1}},
          .run = run};
}
