// What exercise 08 is checked for.

#include "workbook/exercise.h"
#include GRIDSTRIDE_EXERCISE

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace {

std::vector<sample> all_samples() {
  std::vector<sample> all;
  for (int value = -32'768; value <= 32'767; ++value) all.push_back(static_cast<sample>(value));
  return all;
}

void magnitudes(workbook::report& report) {
  report.check_equal("magnitude_of(5)", magnitude_of(5), 5);
  report.check_equal("magnitude_of(-5)", magnitude_of(-5), 5);
  report.check_equal("magnitude_of(-32,768)", magnitude_of(-32'768), 32'768);
  std::size_t wrong = 0;
  for (const sample value : all_samples())
    wrong += static_cast<double>(magnitude_of(value)) != std::abs(static_cast<double>(value));
  report.check_equal("magnitude_of all 65,536 samples, wrong ones", wrong, 0);
}

// In float64, which has room for everything.
sample suppressed(sample value, double threshold) {
  return std::abs(static_cast<double>(value)) < threshold ? sample{0} : value;
}

void fixed_threshold(std::int32_t threshold, workbook::report& report) {
  const std::string name = "zero_suppress of all 65,536 samples, threshold " + std::to_string(threshold);
  const std::vector<sample> all = all_samples(), got = zero_suppress(all, threshold);
  for (std::size_t i = 0; i < all.size(); ++i)
    if (const sample expected = suppressed(all[i], threshold); got[i] != expected) {
      report.check_equal(name + ", " + std::to_string(all[i]), got[i], expected);
      return;
    }
  report.check(name, true);
}

void running_threshold(const std::string& text, const std::vector<sample>& samples, std::int32_t least,
                       workbook::report& report) {
  const std::string name = "suppress_running of " + text;
  const bool on_the_device = gs::default_target() == gs::target::device;  // elsewhere nothing is counted
  const gs::ledger_scope scope;
  const std::vector<sample> got = suppress_running(samples, least);
  const gs::ledger account = scope.account();
  if (!report.check_equal(name + ", size", got.size(), samples.size())) return;
  double largest = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    largest = std::max(largest, std::abs(static_cast<double>(samples[i])));
    const double threshold = std::max(std::floor(largest / 8), static_cast<double>(least));
    if (const sample expected = suppressed(samples[i], threshold); got[i] != expected) {
      report.check_equal(name + ", sample " + std::to_string(i), got[i], expected);
      return;
    }
  }
  report.check(name, true);
  if (on_the_device && !samples.empty())
    report.check(name + ", computed by ufuncs",
                 account.launches > 0 && account.bytes_to_host >= got.size() * sizeof(sample));
}

// Noise that grows from 0 to the whole range of the type.
std::vector<sample> growing_noise(std::size_t n) {
  std::vector<float> draws(n);
  gs::fill_uniform(draws, n + 8);
  std::vector<sample> samples(n);
  for (std::size_t i = 0; i < n; ++i)
    samples[i] = static_cast<sample>((2 * draws[i] - 1) * 32'767 * static_cast<float>(i) / static_cast<float>(n));
  return samples;
}

}  // namespace

workbook::exercise workbook::this_exercise() {
  return {.number = 8,
          .name = "zero_suppress",
          .task = "samples of both signs, and a threshold that runs along",
          .check = [](workbook::report& report) {
            magnitudes(report);
            constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max();
            for (const std::int32_t threshold :
                 {15, 1, 0, 32'767, 32'768, 32'769, 100'000, most, -1, -15, -40'000, -most - 1})
              fixed_threshold(threshold, report);
            running_threshold("20, -20, 15, 14, -14", {20, -20, 15, 14, -14}, 15, report);
            running_threshold("30, 800, 99, 100, -99, -100", {30, 800, 99, 100, -99, -100}, 15, report);
            running_threshold("100, -32768, 4095, -4096", {100, -32'768, 4095, -4096}, 15, report);
            running_threshold("-800, 99, -100, 101", {-800, 99, -100, 101}, 15, report);
            running_threshold("103, 12, 13, -12", {103, 12, 13, -12}, 1, report);  // 12.875 isn't whole
            running_threshold("20, 3, -2, 1, 0 and at least 0", {20, 3, -2, 1, 0}, 0, report);
            running_threshold("20, 3, -2, 1, 0 and at least -5", {20, 3, -2, 1, 0}, -5, report);
            running_threshold("20, -32768, 32767 and at least 40,000", {20, -32'768, 32'767}, 40'000, report);
            for (const std::size_t n : {1, 31, 32, 33, 10'007, 0})
              running_threshold(std::to_string(n) + " samples", growing_noise(n), 20, report);
          }};
}
