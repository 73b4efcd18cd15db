// What exercise 30 is checked for.

#include "workbook/exercise.h"
#include GRIDSTRIDE_EXERCISE

#include <cmath>
#include <numeric>
#include <string>
#include <vector>

GS_FN int plus(int a, int b) { return a + b; }
// The leftmost number that isn't 0: associative, and only right if left and right aren't exchanged.
GS_FN int leftmost(int a, int b) { return a != 0 ? a : b; }

GS_FN void sums_of_warps(gs::thread t, gs::view<const int> x, gs::view<int> out) {
  out[t.grid()] = scan_of_warp<plus>(t, x[t.grid()]);
}

namespace {

bool warps_of(std::size_t n, workbook::report& report) {
  const auto x = gs::integers<int>({n}, -50, 50, workbook::seed_of_checks());
  const auto out = gs::to_device(std::vector<int>(n, -1));
  const gs::inspection seen =
      gs::inspect([&] { gs::launch<sums_of_warps>({.grid = n / block_size, .block = block_size}, x, out); });
  if (!is_clean(seen, report)) return false;
  std::vector<int> expected = x.copy_to_host();
  for (std::size_t i = 0; i < n; ++i)
    if (i % gs::warp_size != 0) expected[i] += expected[i - 1];
  const std::vector<int> got = out.copy_to_host();
  for (std::size_t i = 0; i < n; ++i)
    if (got[i] != expected[i])
      return report.check_equal("scan_of_warp with a + b, lane " + std::to_string(i % gs::warp_size), got[i],
                                expected[i]);
  return report.check("scan_of_warp with a + b", true);
}

template <auto combine, class T>
bool scanned(const std::vector<T>& x, T identity, std::vector<T>& got, workbook::report& report) {
  const auto in = gs::to_device(x);
  const gs::device_array<T> out(x.size());
  const gs::inspection seen =
      gs::inspect([&] { gs::launch<scan_all<combine, T>>({.grid = 1, .block = block_size}, in, out, identity); });
  got = out.copy_to_host();
  return is_clean(seen, report);
}

std::string text_of(sample s) { return s.present == 0 ? "missing" : std::to_string(s.value); }
bool last_samples(workbook::report& report) {
  const auto ask = [&](const char* name, sample left, sample right, sample expected) {
    return report.check_equal(std::string("last_of: ") + name, text_of(last_of(left, right)), text_of(expected));
  };
  return ask("both are there", {1.5f, 1}, {2.5f, 1}, {2.5f, 1}) &&
         ask("the right one is missing", {1.5f, 1}, {9, 0}, {1.5f, 1}) &&
         ask("the left one is missing", {9, 0}, {2.5f, 1}, {2.5f, 1}) &&
         ask("both are missing", {9, 0}, {8, 0}, {0, 0});
}
bool samples_of(std::size_t n, workbook::report& report) {
  const std::vector<float> drawn = gs::uniform<float>({n}, n + workbook::seed_of_checks()).copy_to_host();
  std::vector<sample> x(n), expected(n), got;
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = {100 * drawn[i], drawn[i] > 0.9f ? 1u : 0u};
    expected[i] = x[i].present != 0 || i == 0 ? x[i] : expected[i - 1];
  }
  if (!scanned<last_of, sample>(x, {0, 0}, got, report)) return false;
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < n; ++i) wrong += text_of(got[i]) != text_of(expected[i]);
  return report.check_equal("wrong of " + std::to_string(n) + " samples", wrong, 0);
}

bool two_lines(workbook::report& report) {
  const line both = first_then({2, 3}, {5, 7});  // y -> 2y + 3 -> 5(2y + 3) + 7
  return report.check_equal("first_then of 2y + 3 and 5y + 7: a", both.a, 10) &&
         report.check_equal("first_then of 2y + 3 and 5y + 7: b", both.b, 22);
}
bool filtered(std::size_t n, workbook::report& report) {
  const std::vector<float> drawn = gs::uniform<float>({2 * n}, n + workbook::seed_of_checks()).copy_to_host();
  std::vector<line> x(n), got;
  for (std::size_t i = 0; i < n; ++i) x[i] = {drawn[i], drawn[n + i] - 0.5f};
  if (!scanned<first_then, line>(x, {1, 0}, got, report)) return false;
  double y = 0, worst = 0;
  for (std::size_t i = 0; i < n; ++i) {
    y = static_cast<double>(x[i].a) * y + static_cast<double>(x[i].b);
    const double off = std::abs(static_cast<double>(got[i].b) - y);
    worst = off <= worst ? worst : off;  // NaN is worse than anything
  }
  return report.check_at_most("filter of " + std::to_string(n) + " numbers: how far off", worst, 1e-5);
}

}  // namespace

workbook::exercise workbook::this_exercise() {
  return {.number = 30,
          .name = "scan",
          .task = "the scan of a warp, and the operations that fill gaps and filter",
          .check = [](workbook::report& report) {
            if (!warps_of(2 * block_size, report)) return;
            std::vector<int> got;
            std::vector<int> numbers(31);
            std::iota(numbers.begin(), numbers.end(), 1);
            if (!scanned<leftmost, int>(numbers, 0, got, report) ||
                !report.check_equal("scan_of_warp, which keeps left and right: the leftmost of 1 to 31", got[30], 1))
              return;
            if (!last_samples(report)) return;
            for (const std::size_t n : {32, 1, 31, 33, 0, 1009})
              if (!samples_of(n, report)) return;
            if (!two_lines(report)) return;
            for (const std::size_t n : {32, 1, 31, 33, 0, 1009})
              if (!filtered(n, report)) return;
          }};
}
