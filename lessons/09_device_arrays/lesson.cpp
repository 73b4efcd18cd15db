// Lesson 09: device arrays. The same addition four ways; what differs is only where its arrays lie.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "runtime/gs.h"
#include "workbook/lesson.h"

GS_FN float add_float(float a, float b) { return a + b; }
inline constexpr auto add = gs::vectorize<add_float>;

std::vector<float> random_numbers(std::size_t n, std::mt19937& random) {
  std::normal_distribution<float> normal;
  std::vector<float> x(n);
  for (float& value : x) value = normal(random);
  return x;
}

// How many elements of `sum` aren't a + b, computed in float64 and rounded once.
std::size_t wrong(const std::vector<float>& a, const std::vector<float>& b, const std::vector<float>& sum) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    count += sum[i] != static_cast<float>(static_cast<double>(a[i]) + static_cast<double>(b[i]));
  return count;
}

void there_and_back(const std::vector<float>& x, workbook::report& report) {
  report.heading("There and back");
  const gs::ledger_scope scope;
  const auto x_device = gs::to_device(x);                // a copy goes to the device
  auto y_device = gs::device_array_like(x);              // room for as many; its elements have no value yet
  auto matrix = gs::device_array<float>({2, 3});         // the same, by shape
  add(x_device, x_device, gs::out(y_device));            // on the device: y = x + x
  const std::vector<float> y = y_device.copy_to_host();  // a new host array
  std::vector<float> again(x.size());
  y_device.copy_to_host(again);  // into one that is there already
  report.account("the statements above", scope.account());
  report.check_equal("elements of x + x that are wrong", wrong(x, x, y), 0);
  report.check("both ways home bring the same", y == again);
  try {
    matrix.copy_to_host(again);
  } catch (const gs::error& e) {
    report.paragraph(std::string("Into an array of another shape: ") + e.what() + ".");
  }
}

// Where the arrays of each way lie, and an arrow for each copy that the ledger has counted.
void picture_of_copies(const std::vector<std::string>& names, const std::vector<gs::ledger>& accounts,
                       workbook::report& report) {
  workbook::diagram picture{.title = "What each way copies", .groups = {"on the host", "on the device", "a copy"}};
  picture.add({.x = 0, .y = 1.5, .width = 1.6, .text = "host"});
  picture.add({.x = 0, .y = 4.5, .width = 1.6, .text = "device"});
  for (std::size_t k = 0; k < names.size(); ++k) {
    const double left = 1.8 + 4.1 * static_cast<double>(k);
    picture.add({.x = left, .y = 0, .width = 3.4, .text = names[k]});
    const char* arrays[] = {"x", "y", "sum"};
    for (std::size_t a = 0; a < 3; ++a) {
      const bool is_input = a < 2;
      const double x = left + 1.2 * static_cast<double>(a);
      const std::size_t there = picture.add({.x = x, .y = 4.5, .text = arrays[a], .group = 1});
      if (is_input ? a >= accounts[k].copies_to_device : accounts[k].copies_to_host == 0) continue;
      const std::size_t here = picture.add({.x = x, .y = 1.5, .text = arrays[a], .group = 0});
      picture.arrows.push_back({.from = is_input ? here : there, .to = is_input ? there : here, .group = 2});
    }
  }
  report.plot(std::move(picture));
}

void four_ways(const std::vector<float>& x, const std::vector<float>& y, workbook::report& report) {
  report.heading("The same addition four ways");
  const auto x_device = gs::to_device(x), y_device = gs::to_device(y);
  auto sum_device = gs::device_array_like(x_device);
  std::vector<float> sum(x.size());
  const auto on_device = add.on(gs::target::device);

  struct way {
    std::string name;
    std::function<void()> call;
    bool result_on_device;
    std::uint64_t to_device, to_host;  // the copies that it ought to make
  };
  const std::vector<way> ways{
      {"host arrays", [&] { on_device(x, y, gs::out(sum)); }, false, 2, 1},
      {"device inputs", [&] { on_device(x_device, y_device, gs::out(sum)); }, false, 0, 1},
      {"device output", [&] { on_device(x, y, gs::out(sum_device)); }, true, 2, 0},
      {"all on the device", [&] { on_device(x_device, y_device, gs::out(sum_device)); }, true, 0, 0},
  };

  std::vector<gs::ledger> accounts;
  std::vector<std::size_t> wrong_elements;
  for (const way& w : ways) {
    std::ranges::fill(sum, std::numeric_limits<float>::quiet_NaN());  // a result of an earlier way must not pass
    sum_device.copy_from_host(sum);
    const gs::ledger_scope scope;
    w.call();
    accounts.push_back(scope.account());
    if (w.result_on_device) sum_device.copy_to_host(sum);
    wrong_elements.push_back(wrong(x, y, sum));
  }
  for (std::size_t k = 0; k < ways.size(); ++k) report.account(ways[k].name, accounts[k]);
  for (std::size_t k = 0; k < ways.size(); ++k) {
    report.check_equal(ways[k].name + ": wrong elements", wrong_elements[k], 0);
    report.check_equal(ways[k].name + ": copies to the device", accounts[k].copies_to_device, ways[k].to_device);
    report.check_equal(ways[k].name + ": copies to the host", accounts[k].copies_to_host, ways[k].to_host);
  }

  std::vector<std::string> names;
  for (const way& w : ways) names.push_back(w.name);
  picture_of_copies(names, accounts, report);

  // A call whose output lies on the device only queues the work. Without synchronize we would time the queueing.
  const auto timed = [&](const std::function<void()>& call) {
    const auto complete = [&] {
      call();
      gs::synchronize();
    };
    return gs::timeit(complete, {.min_run_seconds = 0.05, .max_seconds = 2});
  };
  const workbook::work work{.bytes = 3.0 * sizeof(float) * static_cast<double>(x.size())};
  std::vector<double> milliseconds;
  for (const way& w : ways) {
    const gs::timing time = timed(w.call);
    report.timing(w.name, time, work);
    milliseconds.push_back(1e3 * time.best());
  }
  report.plot(workbook::bar_plot{.title = "Time of one addition",
                                 .categories = names,
                                 .value = {.label = "time", .unit = "ms", .min = 0},
                                 .groups = {{.name = "", .values = milliseconds}}});
}

void run(const workbook::parameters& given, workbook::report& report) {
  std::mt19937 random(static_cast<std::mt19937::result_type>(given.seed()));
  const std::vector<float> x = random_numbers(given.size(), random), y = random_numbers(given.size(), random);
  there_and_back(x, report);
  four_ways(x, y, report);
}

workbook::lesson workbook::this_lesson() {
  return {.number = 9,
          .name = "device_arrays",
          .title = "Arrays that stay on the device",
          .summary = "The same addition four ways: what is copied is what you wait for, and the ledger counts it.",
          .parameters = {workbook::integer{.name = "size",
                                           .text = "numbers in each array",
                                           .min = 1,
                                           .max = 200'000'000,
                                           .default_value = 1'000'000,
                                           .inspected = 100'000}},
          .run = run};
}
