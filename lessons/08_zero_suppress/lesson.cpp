// Lesson 08: zero suppression. A detector's samples are mostly noise; what lies below a threshold becomes 0.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "runtime/gs.h"
#include "workbook/lesson.h"

using sample = std::int16_t;

// The rule of this lesson: a sample below the threshold becomes 0.
GS_FN sample suppress(sample value, sample threshold) { return value < threshold ? sample{0} : value; }

// Signals of both signs need the magnitude compared. The magnitude of -32,768 is 32,768, which doesn't fit in an int16.
GS_FN sample suppress_both_narrow(sample value, sample threshold) {
  const auto magnitude = static_cast<sample>(value < 0 ? -value : value);
  return magnitude < threshold ? sample{0} : value;
}
// The same comparison in int, in which C++ computes with shorter types anyway: 32,768 has room there.
GS_FN sample suppress_both(sample value, sample threshold) {
  const int magnitude = value < 0 ? -value : value;
  return magnitude < threshold ? sample{0} : value;
}

GS_FN std::int64_t is_kept(sample value) { return value != 0; }
GS_FN std::int64_t sum_of_two(std::int64_t a, std::int64_t b) { return a + b; }

inline constexpr auto zero_suppress = gs::vectorize<suppress>;
inline constexpr auto zero_suppress_both = gs::vectorize<suppress_both>;
inline constexpr auto kept = gs::vectorize<is_kept>;
inline constexpr auto add = gs::vectorize<sum_of_two>;

// Pulses that rise fast and fade slowly, each at a random moment of its share of the time, in Gaussian noise.
std::vector<sample> pulse_train(std::size_t size, std::size_t pulses, double noise, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> height(60, 300), moment(0.1, 0.6);
  std::vector<double> signal(size, 0.0);
  const double spacing = static_cast<double>(size) / static_cast<double>(pulses), decay = spacing / 60;
  for (std::size_t k = 0; k < pulses; ++k) {
    const double start = (static_cast<double>(k) + moment(random)) * spacing, peak = height(random);
    for (auto i = static_cast<std::size_t>(start) + 1; i < size; ++i) {
      const double t = (static_cast<double>(i) - start) / decay;
      if (t > 20) break;
      signal[i] += peak * t * std::exp(1 - t);
    }
  }
  std::vector<sample> samples(size);
  for (std::size_t i = 0; i < size; ++i) {
    const double value = std::round(signal[i] + noise * normal(random));
    samples[i] = static_cast<sample>(std::clamp(value, -32'768.0, 32'767.0));  // as the converter does: it saturates
  }
  return samples;
}

void before_and_after(const std::vector<sample>& before, sample threshold, std::size_t pulses,
                      workbook::report& report) {
  report.heading("Before and after");
  const std::vector<sample> after = zero_suppress(before, threshold);

  std::size_t differ = 0, kept_by_loop = 0, runs = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const int value = before[i], expected = value >= threshold ? value : 0;
    differ += after[i] != expected;
    kept_by_loop += expected != 0;
    runs += expected != 0 && (i == 0 || after[i - 1] == 0);
  }
  const std::int64_t count = add.reduce(kept(after));
  auto& table = report.table("", {"samples", "how many"});
  table.row("before", before.size());
  table.row("kept", count);
  table.row("pieces that the kept samples form", runs);
  table.row("pulses that are there", pulses);
  report.check_equal("samples that differ from those of a plain loop", differ, 0);
  report.check_equal("samples kept, counted by ufuncs and by the loop", count, kept_by_loop);

  const workbook::axis time{.label = "sample"}, value{.label = "value"};
  const workbook::reference_line line{.at = static_cast<double>(threshold), .label = "threshold"};
  report.plot(workbook::xy_plot{
      .title = "Before", .x = time, .y = value, .series = {{.name = "samples", .y = before}}, .references = {line}});
  report.plot(workbook::xy_plot{.title = "After", .x = time, .y = value, .series = {{.name = "samples", .y = after}}});

  // From the highest sample on, to where the signal disappears in the noise.
  const auto peak = std::ranges::max_element(before) - before.begin();
  const auto end = std::min<std::ptrdiff_t>(std::ssize(before), peak + std::ssize(before) / 150 + 1);
  const auto part = [&](const std::vector<sample>& all) { return std::vector(all.begin() + peak, all.begin() + end); };
  const auto part_time = workbook::samples::regular(static_cast<double>(peak), 1, static_cast<std::size_t>(end - peak));
  report.plot(workbook::xy_plot{.title = "The tail of the highest pulse",
                                .x = time,
                                .y = value,
                                .series = {{.name = "before", .x = part_time, .y = part(before)},
                                           {.name = "after", .x = part_time, .y = part(after)}},
                                .references = {line}});
}

void two_signs(sample threshold, workbook::report& report) {
  report.heading("And below zero?");
  auto& table = report.table("Three rules, threshold " + std::to_string(threshold),
                             {"value", "value >= threshold", "magnitude as int16", "magnitude as int"});
  constexpr sample least = std::numeric_limits<sample>::min();
  bool symmetric = true;
  for (const sample value : {sample{0}, static_cast<sample>(threshold - 1), threshold, static_cast<sample>(-threshold),
                             static_cast<sample>(least + 1), least}) {
    table.row(value, suppress(value, threshold), suppress_both_narrow(value, threshold),
              suppress_both(value, threshold));
  }
  std::vector<sample> every(65'536);
  for (std::size_t i = 0; i < every.size(); ++i) every[i] = static_cast<sample>(static_cast<int>(i) + least);
  const std::vector<sample> result = zero_suppress_both(every, threshold);
  for (std::size_t i = 0; i < every.size(); ++i)
    symmetric &= result[i] == (std::abs(static_cast<double>(every[i])) >= threshold ? every[i] : 0);
  report.check("compared as int, the magnitude is right for each of the 65,536 values", symmetric);
  report.check_equal("compared as int16, the largest of all magnitudes is suppressed",
                     suppress_both_narrow(least, threshold), 0);
}

void timings(const std::vector<sample>& samples, sample threshold, workbook::report& report) {
  report.heading("How long it takes");
  std::vector<sample> out(samples.size());
  const workbook::work work{.bytes = 2.0 * sizeof(sample) * static_cast<double>(samples.size())};
  const gs::timeit_options quick{.min_run_seconds = 0.05, .max_seconds = 2};
  for (const gs::target target : {gs::target::cpu, gs::target::parallel, gs::target::device}) {
    const auto call = [&] { zero_suppress.on(target)(samples, threshold, gs::out(out)); };
    report.timing(gs::to_string(target), gs::timeit(call, quick), work);
  }
}

void run(const workbook::parameters& given, workbook::report& report) {
  const auto threshold = static_cast<sample>(given.integer("threshold"));
  const std::vector<sample> samples =
      pulse_train(given.size(), given.size("pulses"), given.real("noise"), given.seed());
  before_and_after(samples, threshold, given.size("pulses"), report);
  two_signs(threshold, report);
  timings(samples, threshold, report);
}

workbook::lesson workbook::this_lesson() {
  return {
      .number = 8,
      .name = "zero_suppress",
      .title = "A detector's signal without its noise",
      .summary = "What lies below a threshold becomes 0: a ufunc on int16, and what short integers do to its rule.",
      .parameters =
          {workbook::integer{.name = "size", .text = "samples", .min = 1, .max = 20'000'000, .default_value = 100'000},
           workbook::integer{.name = "threshold",
                             .text = "the least value that is kept",
                             .min = 1,
                             .max = 32'767,
                             .default_value = 15},
           workbook::real{
               .name = "noise", .text = "standard deviation of the noise", .min = 0, .max = 1'000, .default_value = 3},
           workbook::integer{
               .name = "pulses", .text = "pulses in the train", .min = 0, .max = 1'000, .default_value = 23}},
      .run = run};
}
