// Lesson 10: a pipeline of two steps. The data between them needn't return to the host.

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

constexpr float two_pi = 6.28318531f;

// One sample of a train of pulses: the tips of a sine wave, from 0.3 up, drawn out to the given height.
GS_FN float pulse(float time, float period, float height) {
  const float tip = (std::sin(two_pi * time / period) - 0.3f) / 0.7f;
  return tip > 0 ? tip * height : 0;
}
GS_FN float sum_of(float a, float b) { return a + b; }
GS_FN float pulse_and_noise(float time, float period, float height, float noise) {
  return sum_of(pulse(time, period, height), noise);
}

inline constexpr auto make_pulses = gs::vectorize<pulse>.on(gs::target::device);
inline constexpr auto add = gs::vectorize<sum_of>.on(gs::target::device);
inline constexpr auto make_waveform = gs::vectorize<pulse_and_noise>.on(gs::target::device);

struct samples {
  std::vector<float> time, height, noise;
  float period;

  // How far `waveform` is from the one computed in float64, in units of the highest pulse.
  double largest_error(const std::vector<float>& waveform) const {
    double largest = 0;
    for (std::size_t i = 0; i < time.size(); ++i) {
      const double phase = static_cast<double>(time[i]) / static_cast<double>(period);
      const double tip = (std::sin(2 * M_PI * phase) - 0.3) / 0.7;
      const double expected = std::max(tip, 0.0) * static_cast<double>(height[i]) + static_cast<double>(noise[i]);
      const double error = std::abs(static_cast<double>(waveform[i]) - expected) / 100;
      largest = error <= largest ? largest : error;  // NaN stays
    }
    return largest;
  }
};

// A detector that wears out: its pulses start at a height of 100 and end at half of it.
samples draw_samples(std::size_t n, std::size_t pulses, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<float> normal(0, 3);
  samples s{std::vector<float>(n), std::vector<float>(n), std::vector<float>(n), 0};
  s.period = static_cast<float>(n) / static_cast<float>(pulses);
  for (std::size_t i = 0; i < n; ++i) {
    s.time[i] = static_cast<float>(i);
    s.height[i] = 100 - 50 * static_cast<float>(i) / static_cast<float>(n);
    s.noise[i] = normal(random);
  }
  return s;
}

struct way {
  std::string name;
  std::function<void()> call;
  std::uint64_t to_device, to_host;  // the copies that it ought to make
};

// The arrays of a way, and an arrow for each copy that the ledger has counted. The pulses appear twice on the
// device if they return to the host in between: as they are made, and as they are read.
// Returns where the next way begins.
double draw_copies(workbook::diagram& picture, double top, const std::string& name, const gs::ledger& account) {
  enum : std::size_t { host, device, copy, in_vain };
  const bool come_home = account.copies_to_host > 1, inputs_copied = account.copies_to_device > 0;
  const bool none = !inputs_copied && account.copies_to_host == 0;
  const double below = none ? top : top + 3;
  picture.add({.x = 0, .y = (top + below) / 2, .width = 3, .text = name});
  const auto array = [&](double x, double width, const char* text, bool copied, bool is_input) {
    const std::size_t there = picture.add({.x = x, .y = below, .width = width, .text = text, .group = device});
    if (!copied) return;
    const std::size_t here = picture.add({.x = x, .y = top, .width = width, .text = text, .group = host});
    picture.arrows.push_back({.from = is_input ? here : there, .to = is_input ? there : here, .group = copy});
  };
  array(3.2, 1.8, "time", inputs_copied, true);
  array(5.2, 1.8, "height", inputs_copied, true);
  if (come_home) {
    const std::size_t made = picture.add({.x = 7.2, .y = below, .width = 1.8, .text = "pulses", .group = device});
    const std::size_t home = picture.add({.x = 7.2, .y = top, .width = 3.8, .text = "pulses", .group = host});
    const std::size_t read = picture.add({.x = 9.2, .y = below, .width = 1.8, .text = "pulses", .group = device});
    picture.arrows.push_back({.from = made, .to = home, .group = in_vain});
    picture.arrows.push_back({.from = home, .to = read, .group = in_vain});
  } else {
    picture.add({.x = 7.2, .y = below, .width = 3.8, .text = "pulses", .group = device});
  }
  array(11.2, 1.8, "noise", inputs_copied, true);
  array(13.2, 2.4, "waveform", account.copies_to_host > 0, false);
  return below + 2;
}

void one_waveform_in_five_ways(const samples& s, workbook::report& report) {
  const std::size_t n = s.time.size();
  std::vector<float> pulses(n), waveform(n);
  const auto time = gs::to_device(s.time), height = gs::to_device(s.height), noise = gs::to_device(s.noise);
  auto pulses_device = gs::device_array_like(time), waveform_device = gs::device_array_like(time);

  const std::vector<way> ways{
      {"host arrays",
       [&] {
         make_pulses(s.time, s.period, s.height, gs::out(pulses));
         add(pulses, s.noise, gs::out(waveform));
       },
       4, 2},
      {"pulses stay",
       [&] {
         make_pulses(s.time, s.period, s.height, gs::out(pulses_device));
         add(pulses_device, s.noise, gs::out(waveform));
       },
       3, 1},
      {"one function", [&] { make_waveform(s.time, s.period, s.height, s.noise, gs::out(waveform)); }, 3, 1},
      {"inputs stay, too",
       [&] {
         make_pulses(time, s.period, height, gs::out(pulses_device));
         add(pulses_device, noise, gs::out(waveform));
       },
       0, 1},
      {"all stays",
       [&] {
         make_pulses(time, s.period, height, gs::out(pulses_device));
         add(pulses_device, noise, gs::out(waveform_device));
       },
       0, 0}};

  report.heading("One waveform in five ways");
  std::vector<gs::ledger> accounts;
  std::vector<double> errors;
  for (const way& w : ways) {
    std::ranges::fill(waveform, std::numeric_limits<float>::quiet_NaN());  // what an earlier way left must not pass
    waveform_device.copy_from_host(waveform);
    const gs::ledger_scope scope;
    w.call();
    accounts.push_back(scope.account());
    if (w.to_host == 0) waveform_device.copy_to_host(waveform);
    errors.push_back(s.largest_error(waveform));
  }
  for (std::size_t k = 0; k < ways.size(); ++k) report.account(ways[k].name, accounts[k]);
  for (std::size_t k = 0; k < ways.size(); ++k) {
    report.check_at_most(ways[k].name + ": largest error, of the highest pulse", errors[k], 1e-4);
    report.check_equal(ways[k].name + ": copies to the device", accounts[k].copies_to_device, ways[k].to_device);
    report.check_equal(ways[k].name + ": copies to the host", accounts[k].copies_to_host, ways[k].to_host);
  }
  workbook::diagram picture{.title = "Which arrays are copied",
                            .groups = {"on the host", "on the device", "a copy", "a copy for nothing"}};
  for (double top = 0; const std::size_t k : {0u, 1u, 4u}) top = draw_copies(picture, top, ways[k].name, accounts[k]);
  report.plot(std::move(picture));
  report.plot(workbook::xy_plot{.title = "Pulses and noise",
                                .x = {.label = "time", .unit = "samples"},
                                .y = {.label = "value"},
                                .series = {{.name = "waveform", .y = waveform}, {.name = "pulses", .y = pulses}}});

  report.heading("What the copies cost");
  std::vector<std::string> names;
  std::vector<double> milliseconds;
  for (const way& w : ways) {
    const auto complete = [&] {
      w.call();
      gs::synchronize();
    };
    const gs::timing time_of_call = gs::timeit(complete, {.min_run_seconds = 0.05, .max_seconds = 1});
    report.timing(w.name, time_of_call);
    names.push_back(w.name);
    milliseconds.push_back(1e3 * time_of_call.mean());
  }
  report.plot(workbook::bar_plot{.title = "Time of one waveform",
                                 .categories = names,
                                 .value = {.label = "time", .unit = "ms", .min = 0},
                                 .groups = {{.name = "", .values = milliseconds}}});
}

void run(const workbook::parameters& given, workbook::report& report) {
  one_waveform_in_five_ways(draw_samples(given.size(), given.size("pulses"), given.seed()), report);
}

workbook::lesson workbook::this_lesson() {
  return {
      .number = 10,
      .name = "make_pulses",
      .title = "A pipeline with the fewest copies",
      .summary = "Pulses are made and noise is added: two calls, six copies, of which two are for nothing.",
      .parameters = {workbook::integer{.name = "size",
                                       .text = "samples",
                                       .min = 1,
                                       .max = 10'000'000,
                                       .default_value = 1'000'000,
                                       .inspected = 100'000},
                     workbook::integer{
                         .name = "pulses", .text = "pulses in the train", .min = 1, .max = 1'000, .default_value = 23}},
      .run = run};
}
