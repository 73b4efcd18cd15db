// What exercise 43 is checked for.

#include "workbook/exercise.h"
#include GRIDSTRIDE_EXERCISE

#include <algorithm>
#include <string>
#include <vector>

GS_FN void means(gs::thread t, gs::view<const float, 2> scores, gs::view<const float> values, gs::view<float> out) {
  for (auto row : t.grid_stride(out.size())) {
    const gs::view<const float> of_row(scores.data() + row * scores.extent(1), {scores.extent(1)});
    out[row] = weighted_mean(of_row, values);
  }
}

namespace {

partial of(const std::vector<float>& scores, std::size_t begin, std::size_t end) {
  partial p;
  for (std::size_t k = begin; k < end; ++k) p = with(p, scores[k]);
  return p;
}
double largest_of(const std::vector<float>& scores) { return static_cast<double>(*std::ranges::max_element(scores)); }
double sum_below(const std::vector<float>& scores) {
  double sum = 0;
  for (const float x : scores) sum += std::exp(static_cast<double>(x) - largest_of(scores));
  return sum;
}

std::vector<float> scores_of(std::size_t n, float spread) {
  std::vector<float> scores = gs::normal<float>({n}, n + workbook::seed_of_checks()).copy_to_host();
  for (float& x : scores) x *= spread;
  return scores;
}

bool is_of(const std::string& name, partial got, const std::vector<float>& scores, workbook::report& report) {
  return report.check_equal(name + ": the largest", static_cast<double>(got.largest), largest_of(scores)) &&
         report.check_near(name + ": the sum", static_cast<double>(got.sum), sum_below(scores), 1e-5);
}

bool one_by_one(workbook::report& report) {
  const auto ask = [&](const std::string& name, const std::vector<float>& scores) {
    return is_of("with: " + name, of(scores, 0, scores.size()), scores, report);
  };
  if (!ask("one score", {-3}) || !ask("1, then 2", {1, 2}) || !ask("2, then 1", {2, 1}) || !ask("2, then 2", {2, 2}) ||
      !ask("90, then 91", {90, 91}) || !ask("-120, then -119", {-120, -119}) || !ask("0, then 200", {0, 200}))
    return false;
  for (const std::size_t n : {31, 32, 33, 1009})
    if (!ask(std::to_string(n) + " scores of size 30", scores_of(n, 30))) return false;
  return true;
}

std::string text_of(partial p) {
  return "the largest " + std::to_string(p.largest) + ", the sum " + std::to_string(p.sum);
}

bool two_parts(workbook::report& report) {
  const partial none;
  const partial nothing = joined(none, none);
  if (!report.check_equal("joined: of nothing and nothing there is nothing", text_of(nothing), text_of(none)))
    return false;
  const auto ask = [&](const std::string& name, const std::vector<float>& scores, std::size_t cut) {
    return is_of("joined: " + name, joined(of(scores, 0, cut), of(scores, cut, scores.size())), scores, report);
  };
  if (!ask("nothing, and 5", {5}, 0) || !ask("5, and nothing", {5}, 1) || !ask("1, and 2", {1, 2}, 1) ||
      !ask("2, and 1", {2, 1}, 1) || !ask("2, and 2", {2, 2}, 1) || !ask("90, and 91, 92", {90, 91, 92}, 1) ||
      !ask("-120, and -119", {-120, -119}, 1))
    return false;
  for (const std::size_t n : {31, 32, 33, 1009})
    for (const std::size_t cut : {std::size_t{0}, std::size_t{1}, n / 3, n})
      if (!ask(std::to_string(n) + " scores, cut at " + std::to_string(cut), scores_of(n, 30), cut)) return false;
  return true;
}

bool means_of(std::size_t rows, std::size_t n, float spread, workbook::report& report) {
  const std::vector<float> scores = scores_of(rows * n, spread), values = scores_of(n, 1);
  const auto out = gs::to_device(std::vector<float>(rows, -7));
  const auto of_rows =
      gs::to_device(scores).reshape({static_cast<std::ptrdiff_t>(rows), static_cast<std::ptrdiff_t>(n)});
  const auto of_values = gs::to_device(values);
  const gs::inspection seen =
      gs::inspect([&] { gs::launch<means>({.grid = 2, .block = 32}, of_rows, of_values, out); });
  if (!is_clean(seen, report)) return false;
  const std::vector<float> got = out.copy_to_host();
  double worst = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    const auto begin = scores.begin() + static_cast<std::ptrdiff_t>(row * n);
    const std::vector<float> own(begin, begin + static_cast<std::ptrdiff_t>(n));
    double expected = 0;
    for (std::size_t k = 0; k < n; ++k)
      expected += std::exp(static_cast<double>(own[k]) - largest_of(own)) * static_cast<double>(values[k]);
    const double off = std::abs(static_cast<double>(got[row]) - expected / sum_below(own));
    worst = off <= worst ? worst : off;  // NaN is worse than anything
  }
  return report.check_at_most("weighted_mean: " + std::to_string(rows) + " rows of " + std::to_string(n) +
                                  " scores of size " + std::to_string(static_cast<int>(spread)) + ": how far off",
                              worst, 1e-4);
}

}  // namespace

workbook::exercise workbook::this_exercise() {
  return {.number = 43,
          .name = "attention",
          .task = "a softmax in one pass, and a mean weighted by it",
          .check = [](workbook::report& report) {
            if (!one_by_one(report) || !two_parts(report)) return;
            for (const float spread : {1.0f, 60.0f})
              for (const std::size_t n : {1, 31, 32, 33, 1009})
                if (!means_of(33, n, spread, report)) return;
          }};
}
