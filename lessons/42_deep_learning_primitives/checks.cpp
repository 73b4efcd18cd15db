// What exercise 42 is checked for.

#include "workbook/exercise.h"
#include GRIDSTRIDE_EXERCISE

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace {

constexpr auto losses_of = gs::guvectorize<loss_of_row, "(c),()->()">;
constexpr auto adjoints_of = gs::guvectorize<adjoint_of_row, "(c),(),()->(c)">;

std::mt19937_64& generator() {
  static std::mt19937_64 random(workbook::seed_of_checks());
  return random;
}

struct rows {
  std::vector<float> scores;
  std::vector<int> labels;
  std::size_t classes;

  gs::device_array<float> on_device() const {
    return gs::to_device(scores).reshape(gs::shape({labels.size(), classes}));
  }
  // Of one row, in float64: the share of class k is exp(log_share(row, k)).
  double log_share(std::size_t row, std::size_t k) const {
    const float* const first = scores.data() + row * classes;
    const double largest = static_cast<double>(*std::max_element(first, first + classes));
    double sum = 0;
    for (std::size_t c = 0; c < classes; ++c) sum += std::exp(static_cast<double>(first[c]) - largest);
    return static_cast<double>(first[k]) - largest - std::log(sum);
  }
};

rows random_rows(std::size_t n, std::size_t classes, float spread) {
  std::normal_distribution<float> normal(0, spread);
  std::uniform_int_distribution<int> label(0, static_cast<int>(classes) - 1);
  rows r{.scores = std::vector<float>(n * classes), .labels = std::vector<int>(n), .classes = classes};
  for (float& score : r.scores) score = normal(generator());
  for (int& l : r.labels) l = label(generator());
  return r;
}

bool losses(const std::string& name, const rows& r, workbook::report& report) {
  const std::vector<float> found = losses_of(r.on_device(), gs::to_device(r.labels)).copy_to_host();
  for (std::size_t i = 0; i < r.labels.size(); ++i) {
    const double expected = -r.log_share(i, static_cast<std::size_t>(r.labels[i]));
    const double tolerance = 1e-5 * std::max(1.0, expected);
    if (!(std::fabs(static_cast<double>(found[i]) - expected) <= tolerance))
      return report.check_near("loss of " + name, static_cast<double>(found[i]), expected, 1e-5);
  }
  return report.check("loss of " + name, true);
}

bool adjoints(const std::string& name, const rows& r, workbook::report& report) {
  std::normal_distribution<float> normal(1, 1);
  std::vector<float> gradient(r.labels.size());
  for (float& g : gradient) g = normal(generator());
  const std::vector<float> found =
      adjoints_of(r.on_device(), gs::to_device(r.labels), gs::to_device(gradient)).copy_to_host();
  for (std::size_t i = 0; i < r.labels.size(); ++i)
    for (std::size_t k = 0; k < r.classes; ++k) {
      const double share = std::exp(r.log_share(i, k)) - (static_cast<int>(k) == r.labels[i] ? 1 : 0);
      const double expected = static_cast<double>(gradient[i]) * share,
                   got = static_cast<double>(found[i * r.classes + k]);
      if (!(std::fabs(got - expected) <= 1e-5 * std::max(1.0, std::fabs(static_cast<double>(gradient[i])))))
        return report.check_near("gradient of " + name + ", by score " + std::to_string(k), got, expected, 1e-5);
    }
  return report.check("gradient of " + name, true);
}

bool rows_of_all_kinds(workbook::report& report, bool (*ask)(const std::string&, const rows&, workbook::report&)) {
  const rows three{{1, 2, 3, 3, 2, 1}, {2, 2}, 3};
  const rows large{{1000, 999, 998}, {1}, 3}, small{{-1000, -1001, -1002}, {0}, 3}, apart{{-500, 500}, {0}, 2};
  if (!ask("scores 1, 2, 3", three, report) || !ask("scores of 1000", large, report) ||
      !ask("scores of -1000", small, report) || !ask("scores that lie 1000 apart", apart, report))
    return false;
  for (const std::size_t classes : {1, 2, 10, 31, 32, 33})
    for (const std::size_t n : {0, 1, 1009})
      for (const float spread : {1.0f, 100.0f})
        if (!ask(std::to_string(n) + " rows of " + std::to_string(classes), random_rows(n, classes, spread), report))
          return false;
  return true;
}

bool adam(workbook::report& report) {
  for (const float gradient : {4.0f, -0.001f}) {
    moments m{0, 0};
    const std::string name = "first change, gradient " + std::string(gradient > 0 ? "4" : "-0.001");
    if (!report.check_near(name, static_cast<double>(adam_change(gradient, 1, 0.5f, m)), gradient > 0 ? -0.5 : 0.5,
                           1e-4))
      return false;
  }
  moments still{0, 0}, tiny{0, 0};
  if (!report.check_near("change without a gradient", static_cast<double>(adam_change(0, 1, 0.5f, still)), 0, 1e-9) ||
      !report.check_near("first change, gradient 1e-8", static_cast<double>(adam_change(1e-8f, 1, 0.5f, tiny)), -0.25,
                         1e-3))
    return false;
  std::normal_distribution<float> normal(0.3f, 1);
  moments m{0, 0};
  double mean = 0, square = 0;
  for (int step = 1; step <= 300; ++step) {
    const float gradient = normal(generator());
    const double g = static_cast<double>(gradient);
    mean = 0.9 * mean + 0.1 * g;
    square = 0.999 * square + 0.001 * g * g;
    const double expected =
        -0.01 * (mean / (1 - std::pow(0.9, step))) / (std::sqrt(square / (1 - std::pow(0.999, step))) + 1e-8);
    const double found = static_cast<double>(adam_change(gradient, step, 0.01f, m));
    if (!(std::fabs(found - expected) <= 1e-5))
      return report.check_near("change at step " + std::to_string(step), found, expected, 1e-5);
  }
  return report.check("300 changes", true);
}

}  // namespace

workbook::exercise workbook::this_exercise() {
  return {.number = 42,
          .name = "deep_learning_primitives",
          .task = "a loss that doesn't overflow, its gradient, and a step of Adam",
          .check = [](workbook::report& report) {
            if (rows_of_all_kinds(report, losses) && rows_of_all_kinds(report, adjoints)) adam(report);
          }};
}
