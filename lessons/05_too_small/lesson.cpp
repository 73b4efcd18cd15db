// Lesson 05: four reasons why the device loses, and where on this machine it begins to win.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "runtime/gs.h"
#include "workbook/lesson.h"

// `count` steps for each number, of two operations each. After many steps the result is near 2.
template <class T, int count>
GS_FN T steps(T x) {
  for (int k = 0; k < count; ++k) x = T(0.75) * x + T(0.5);
  return x;
}
constexpr int usual = 64;
template <int count, class T = float>
inline constexpr auto work = gs::vectorize<steps<T, count>>;

template <class T>
std::vector<T> random_numbers(std::size_t size, std::uint64_t seed) {
  std::mt19937 random(static_cast<std::mt19937::result_type>(seed));
  std::uniform_real_distribution<T> within(0, 4);
  std::vector<T> x(size);
  for (T& value : x) value = within(random);
  return x;
}

// The largest relative error of work<count>. Each step takes x three quarters of its way to 2: 2 + (x - 2) *
// 0.75^count. The loop itself in float64 would be no reference for the loop in float64.
template <class T>
double error_of(const std::vector<T>& x, const std::vector<T>& y, int count) {
  double largest = x.size() == y.size() ? 0 : std::numeric_limits<double>::infinity();
  const long double left = std::pow(0.75L, count);
  for (std::size_t i = 0; i < y.size(); ++i) {
    const long double expected = 2 + (static_cast<long double>(x[i]) - 2) * left;
    largest = std::max(largest, static_cast<double>(std::abs(static_cast<long double>(y[i]) / expected - 1)));
  }
  return largest;
}

const gs::timeit_options quick{.runs = 5, .min_run_seconds = 0.005, .max_seconds = 0.1};

// A call with host arrays, in seconds. `out` keeps the last call's results.
template <int count, class T>
double seconds_on(gs::target target, const std::vector<T>& x, std::vector<T>& out) {
  out.assign(x.size(), T{-1});
  return gs::timeit([&] { work<count, T>.on(target)(x, gs::out(out)); }, quick).best();
}

// The x from which the second of two curves stays below the first, interpolated between two points by a straight line
// on logarithmic axes. Infinite if the second ends above the first, NaN if nothing was timed.
double crossover(const std::vector<double>& x, const std::vector<double>& first, const std::vector<double>& second) {
  std::size_t k = x.size();
  while (k > 0 && second[k - 1] < first[k - 1]) --k;
  if (k == 0) return x.front();
  const auto above = [&](std::size_t i) { return std::log(second[i] / first[i]); };
  if (std::isnan(above(k - 1))) return above(k - 1);
  if (k == x.size()) return std::numeric_limits<double>::infinity();
  const double part = above(k - 1) / (above(k - 1) - above(k));
  return x[k - 1] * std::pow(x[k] / x[k - 1], part);
}

struct duel {
  std::vector<double> x, one_core, device;
  double won_from() const { return crossover(x, one_core, device); }
};

// The picture, with the crossover and the reader's guess in it.
void show(const duel& r, const char* title, const char* label, const workbook::parameters& given,
          const std::string& prediction, workbook::report& report) {
  workbook::xy_plot plot{
      .title = title,
      .x = {.label = label, .log = true},
      .y = {.label = "time of a call", .unit = "s", .log = true},
      .series = {{.name = "one core", .x = r.x, .y = r.one_core, .style = workbook::drawn_as::line_and_points},
                 {.name = "device", .x = r.x, .y = r.device, .style = workbook::drawn_as::line_and_points}}};
  if (std::isfinite(r.won_from()))
    plot.references.push_back({.at = r.won_from(), .label = "crossover", .vertical = true});
  if (const auto guess = given.guess(prediction); guess && *guess >= r.x.front() && *guess <= r.x.back())
    plot.references.push_back({.at = *guess, .label = "your guess", .vertical = true});
  report.plot(std::move(plot));
  report.prediction(given, prediction, r.won_from());
}

void inputs_too_small(const workbook::parameters& given, workbook::report& report) {
  report.heading("1. Too few elements");
  const std::vector<float> all = random_numbers<float>(given.size(), given.seed());
  auto& table = report.table(std::to_string(2 * usual) + " operations for each element",
                             {"elements", "one core", "device", "device / core"});
  duel r;
  std::vector<float> y;
  double error = 0;
  for (double size = 100;; size *= std::sqrt(10)) {
    const std::size_t n = std::min(all.size(), static_cast<std::size_t>(size));
    const std::vector<float> x(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n));
    r.x.push_back(static_cast<double>(n));
    r.one_core.push_back(seconds_on<usual>(gs::target::cpu, x, y));
    error = std::max(error, error_of(x, y, usual));
    r.device.push_back(seconds_on<usual>(gs::target::device, x, y));
    error = std::max(error, error_of(x, y, usual));
    table.row(n, workbook::seconds(r.one_core.back()), workbook::seconds(r.device.back()),
              r.device.back() / r.one_core.back());
    if (n == all.size()) break;
  }
  report.check_at_most("largest relative error at all sizes", error, 1e-6);
  show(r, "Elements", "elements", given, "elements", report);
}

void too_little_arithmetic(const workbook::parameters& given, workbook::report& report) {
  report.heading("2. Too little arithmetic");
  const std::vector<float> x = random_numbers<float>(given.size(), given.seed());
  auto& table = report.table(std::to_string(x.size()) + " elements",
                             {"operations each", "per byte", "one core", "device", "device / core"});
  duel r;
  std::vector<float> y;
  double error = 0;
  const auto add = [&]<int count>() {
    r.x.push_back(2 * count);
    r.one_core.push_back(seconds_on<count>(gs::target::cpu, x, y));
    r.device.push_back(seconds_on<count>(gs::target::device, x, y));
    error = std::max(error, error_of(x, y, count));
    table.row(2 * count, 2.0 * count / (2 * sizeof(float)), workbook::seconds(r.one_core.back()),
              workbook::seconds(r.device.back()), r.device.back() / r.one_core.back());
  };
  add.operator()<1>(), add.operator()<4>(), add.operator()<16>(), add.operator()<64>(), add.operator()<256>();
  report.check_at_most("largest relative error with any number of operations", error, 1e-6);
  show(r, "Operations", "operations for each element", given, "operations", report);
}

void copies(const std::vector<float>& x, workbook::report& report) {
  report.heading("3. Copies");
  std::vector<float> y;
  const auto x_device = gs::to_device(x);
  auto y_device = gs::device_array_like(x_device);
  const auto call_on_device = [&] {
    work<4>(x_device, gs::out(y_device));
    gs::synchronize();
  };
  auto& table = report.table("The same call, 8 operations for each element", {"arrays", "bytes copied", "time"});
  table.row("of the host, one core", workbook::bytes(0), workbook::seconds(seconds_on<4>(gs::target::cpu, x, y)));

  const gs::ledger_scope there_and_back;
  work<4>.on(gs::target::device)(x, gs::out(y));
  const gs::ledger paid = there_and_back.account();
  table.row("of the host, device", workbook::bytes(static_cast<double>(paid.bytes_to_device + paid.bytes_to_host)),
            workbook::seconds(seconds_on<4>(gs::target::device, x, y)));
  const gs::ledger_scope there_already;
  call_on_device();
  const gs::ledger free = there_already.account();
  table.row("of the device", workbook::bytes(static_cast<double>(free.bytes_to_device + free.bytes_to_host)),
            workbook::seconds(gs::timeit(call_on_device, quick).best()));
  report.check_equal("bytes copied for host arrays", paid.bytes_to_device + paid.bytes_to_host, 8 * x.size());
  report.check_equal("bytes copied for device arrays", free.bytes_to_device + free.bytes_to_host, 0);
  report.check("the same results either way", y == y_device.copy_to_host());
}

void wide_types(const std::vector<float>& x, std::uint64_t seed, workbook::report& report) {
  report.heading("4. Types wider than needed");
  const auto wide = random_numbers<double>(x.size(), seed);
  std::vector<float> y;
  std::vector<double> wide_y;
  auto& table = report.table("The device, with host arrays", {"type", "bytes copied", "time", "largest error"});
  const double time = seconds_on<usual>(gs::target::device, x, y);
  const double wide_time = seconds_on<usual>(gs::target::device, wide, wide_y);
  const auto bytes = 2 * static_cast<double>(x.size());
  table.row("float32", workbook::bytes(bytes * sizeof(float)), workbook::seconds(time), error_of(x, y, usual));
  table.row("float64", workbook::bytes(bytes * sizeof(double)), workbook::seconds(wide_time),
            error_of(wide, wide_y, usual));
  report.check_at_most("largest relative error in float64", error_of(wide, wide_y, usual), 1e-14);
}

void run(const workbook::parameters& given, workbook::report& report) {
  inputs_too_small(given, report);
  too_little_arithmetic(given, report);
  const std::vector<float> x = random_numbers<float>(given.size(), given.seed());
  copies(x, report);
  wide_types(x, given.seed(), report);
  // Two lines that are known to cross at n = 1000.
  const std::vector<double> n{10, 100, 10'000};
  report.check_near("the crossover of n and sqrt(1000 n)",
                    crossover(n, n, {std::sqrt(1e4), std::sqrt(1e5), std::sqrt(1e7)}), 1000, 1e-12);
}

workbook::lesson workbook::this_lesson() {
  return {.number = 5,
          .name = "too_small",
          .title = "Four reasons why the device loses",
          .summary = "Too few elements, too little arithmetic, copies, wide types: where the device begins to win.",
          .parameters = {workbook::integer{.name = "size",
                                           .text = "the largest number of elements",
                                           .min = 1,
                                           .max = 100'000'000,
                                           .default_value = 1'000'000,
                                           .inspected = 10'000}},
          .predictions = {{.name = "elements",
                           .question = "With 128 operations for each element: from how many elements on is the device "
                                       "faster than one core?",
                           .unit = "elements"},
                          {.name = "operations",
                           .question = "With a million elements: from how many operations for each element on is the "
                                       "device faster than one core?",
                           .unit = "operations"}},
          .run = run};
}
