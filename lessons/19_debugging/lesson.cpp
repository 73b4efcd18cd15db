// Lesson 19: debugging. Three programs with a bug each, and what finds it: print, step, inspect.

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "runtime/core/error.h"
#include "runtime/gs.h"
#include "workbook/lesson.h"

using input = gs::view<const float>;
using output = gs::view<float>;
using array = gs::device_array<float>;

constexpr unsigned block_size = 256;
gs::launch_options blocks_for(std::size_t threads) {
  return {.grid = std::max<std::size_t>(1, (threads + block_size - 1) / block_size), .block = block_size};
}

// --- program 1: n numbers have n - 1 differences ---------------------------------------------------------------------

GS_FN void differences_wrong(gs::thread t, input x, output out) {
  const std::size_t i = t.grid();
  if (i <= out.size()) out[i] = x[i + 1] - x[i];
}
// The thread with the number `watched` prints what it reads and writes.
GS_FN void differences(gs::thread t, input x, output out, std::size_t watched) {
  const std::size_t i = t.grid();
  if (i < out.size()) {
    out[i] = x[i + 1] - x[i];
    if (i == watched) gs::print(t, "x[i] =", x[i], "x[i + 1] =", x[i + 1], "out[i] =", out[i]);
  }
}

// --- program 2: everything moves one place to the left ---------------------------------------------------------------

GS_FN void shift_wrong(gs::thread t, output x) {
  const std::size_t i = t.grid();
  if (i + 1 < x.size()) x[i] = x[i + 1];
}
GS_FN void shift(gs::thread t, input x, output out) {
  const std::size_t i = t.grid();
  if (i < x.size()) out[i] = i + 1 < x.size() ? x[i + 1] : x[i];
}

// --- program 3: the sum of each row ----------------------------------------------------------------------------------

GS_FN void sum_rows_wrong(gs::thread t, gs::view<const float, 2> a, output sums) {
  const std::size_t row = t.grid();
  if (row >= sums.size()) return;
  for (std::size_t k = 0; k < a.extent(1); ++k) sums[row] += a(row, k);
}
GS_FN void sum_rows(gs::thread t, gs::view<const float, 2> a, output sums) {
  const std::size_t row = t.grid();
  if (row >= sums.size()) return;
  float sum = 0;
  for (std::size_t k = 0; k < a.extent(1); ++k) sum += a(row, k);
  sums[row] = sum;
}

// --- what comes out --------------------------------------------------------------------------------------------------

constexpr float behind = 1000;  // the value behind an array, which isn't the array's

// How many elements of `got` differ from the expected value by more than rounding.
template <class Expected>
std::size_t wrong_elements(const std::vector<float>& got, Expected expected) {
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < got.size(); ++i) wrong += !(std::abs(static_cast<double>(got[i]) - expected(i)) <= 1e-5);
  return wrong;
}

struct program {
  std::string name;
  std::size_t elements = 0, wrong = 0;
  float behind_it = behind;  // only where something lies behind the result
};

template <class Launch>
program run_differences(const std::vector<float>& x, Launch launch) {
  // The input and the result are parts of arrays that are one element longer.
  std::vector<float> longer = x;
  longer.push_back(behind);
  const auto n = static_cast<std::ptrdiff_t>(x.size());
  const array input = gs::to_device(longer), result = gs::to_device(std::vector<float>(x.size(), behind));
  launch(input.slice(0, n), result.slice(0, n - 1));
  std::vector<float> got = result.copy_to_host();
  const float after = got.back();
  got.pop_back();
  const auto expected = [&](std::size_t i) { return static_cast<double>(x[i + 1]) - static_cast<double>(x[i]); };
  return {"differences", got.size(), wrong_elements(got, expected), after};
}

template <class Launch>
program run_shift(const std::vector<float>& x, Launch launch) {
  const array before = gs::to_device(x), after = gs::device_array_like(before);
  const array& result = launch(before, after);
  const std::vector<float> got = result.copy_to_host();
  const auto expected = [&](std::size_t i) { return static_cast<double>(x[std::min(i + 1, x.size() - 1)]); };
  return {"shift", got.size(), wrong_elements(got, expected)};
}

constexpr std::size_t columns = 8;

template <class Launch>
program run_sum_rows(const std::vector<float>& x, Launch launch) {
  const std::size_t rows = x.size() / columns;
  array a({rows, columns});
  a.copy_from_host(std::vector<float>(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(rows * columns)));
  const array sums(rows);  // holds whatever was there before
  launch(a, sums);
  const auto expected = [&](std::size_t row) {
    double sum = 0;
    for (std::size_t k = 0; k < columns; ++k) sum += static_cast<double>(x[row * columns + k]);
    return sum;
  };
  return {"sum_rows", rows, wrong_elements(sums.copy_to_host(), expected)};
}

void mended(const std::vector<float>& x, std::size_t watched, workbook::report& report) {
  report.heading("Mended");
  const std::size_t n = x.size();
  const program programs[] = {
      run_differences(x, [&](auto in, auto out) { gs::launch<differences>(blocks_for(n), in, out, watched); }),
      run_shift(x,
                [&](const array& before, const array& after) -> const array& {
                  gs::launch<shift>(blocks_for(n), before, after);
                  return after;
                }),
      run_sum_rows(x, [&](const array& a, const array& sums) { gs::launch<sum_rows>(blocks_for(n), a, sums); })};
  auto& table = report.table("", {"program", "elements", "wrong"});
  for (const program& p : programs) {
    table.row(p.name, p.elements, p.wrong);
    report.check_equal(p.name + ": wrong elements", p.wrong, 0);
  }
  report.check_equal("what lies behind the differences", programs[0].behind_it, behind);
}

void with_its_bug(const std::string& bug, const std::vector<float>& x, workbook::report& report) {
  report.heading("With its bug");
  const std::size_t n = x.size();
  try {  // the checked flavour stops a kernel whose index leaves its array
    if (bug == "out_of_bounds") {
      const program p =
          run_differences(x, [&](auto in, auto out) { gs::launch<differences_wrong>(blocks_for(n), in, out); });
      auto& table = report.table("", {"program", "elements", "wrong", "behind it before", "behind it after"});
      table.row(p.name + "_wrong", p.elements, p.wrong, behind, p.behind_it);
    } else {
      const auto in_place = [&](const array& before, const array&) -> const array& {
        gs::launch<shift_wrong>(blocks_for(n), before);
        return before;
      };
      const auto without_a_start = [&](const array& a, const array& sums) {
        gs::launch<sum_rows_wrong>(blocks_for(n), a, sums);
      };
      auto& table = report.table("", {"program", "run", "elements", "wrong"});
      for (int k = 1; k <= 3; ++k) {
        const program p = bug == "race" ? run_shift(x, in_place) : run_sum_rows(x, without_a_start);
        table.row(p.name + "_wrong", k, p.elements, p.wrong);
      }
    }
  } catch (const gs::error& found) {
    report.paragraph(found.what());
  }
}

void run(const workbook::parameters& given, workbook::report& report) {
  const std::vector<float> x = gs::uniform<float>({given.size()}, given.seed()).copy_to_host();
  const long long watched = given.integer("print");
  mended(x, watched < 0 ? std::numeric_limits<std::size_t>::max() : static_cast<std::size_t>(watched), report);
  if (given.choice("show") != "none") with_its_bug(given.choice("show"), x, report);
}

workbook::lesson workbook::this_lesson() {
  return {
      .number = 19,
      .name = "debugging",
      .title = "Three programs, three bugs",
      .summary = "An index too far, a race, memory that nobody wrote: what the results look like, and what finds them.",
      .parameters = {workbook::integer{.name = "size",
                                       .text = "numbers",
                                       .min = 1,
                                       .max = 10'000'000,
                                       .default_value = 100'000,
                                       .inspected = 1'000},
                     workbook::choice{.name = "show",
                                      .text = "the bug to run as well",
                                      .choices = {"none", "out_of_bounds", "race", "uninitialised"},
                                      .default_value = "none"},
                     workbook::integer{
                         .name = "print",
                         .text = "thread of program 1 that prints what it sees (not with --json); -1: none",
                         .min = -1,
                         .max = 10'000'000,
                         .default_value = -1}},
      .run = run};
}
