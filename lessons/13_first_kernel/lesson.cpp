// Lesson 13: a kernel. What one thread does is written down once; the launch says how many threads there are.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "runtime/gs.h"
#include "workbook/lesson.h"

// Each thread adds one pair of numbers: the pair whose index is the thread's number in the grid. There may be more
// threads than pairs, and the extra threads do nothing.
GS_FN void add(gs::thread t, gs::view<const float> x, gs::view<const float> y, gs::view<float> sum) {
  const std::size_t i = t.grid();  // std::size_t{t.block_idx().x} * t.block_dim().x + t.thread_idx().x
  if (i >= sum.size()) return;
  sum[i] = x[i] + y[i];
}

// The same without the guard, to see what the extra threads do.
GS_FN void add_unguarded(gs::thread t, gs::view<const float> x, gs::view<const float> y, gs::view<float> sum) {
  const std::size_t i = t.grid();
  sum[i] = x[i] + y[i];
}

// Each thread signs its element.
GS_FN void sign(gs::thread t, gs::view<unsigned> block, gs::view<unsigned> thread) {
  const std::size_t i = t.grid();
  if (i >= block.size()) return;
  block[i] = t.block_idx().x;
  thread[i] = t.thread_idx().x;
}

// As many blocks as it takes for every element to have a thread: n / threads, rounded up.
std::size_t blocks_for(std::size_t n, std::size_t threads) { return (n + threads - 1) / threads; }

constexpr unsigned nobody = std::numeric_limits<unsigned>::max();

struct signatures {
  std::vector<unsigned> block, thread;  // of each element; `nobody` if no thread wrote it
};

signatures signed_by(std::size_t n, std::size_t blocks, std::size_t threads) {
  const auto block = gs::to_device(std::vector(n, nobody)), thread = gs::to_device(std::vector(n, nobody));
  gs::launch<sign>({.grid = blocks, .block = threads}, block, thread);
  return {block.copy_to_host(), thread.copy_to_host()};
}

void who_does_what(std::size_t n, std::size_t threads, workbook::report& report) {
  report.heading("Which thread has which element");
  const std::size_t blocks = blocks_for(n, threads);
  const signatures by = signed_by(n, blocks, threads);
  auto& table = report.table("", {"element", "block_idx", "thread_idx", "block_idx * block_dim + thread_idx"});
  const auto number = [&](std::size_t i) { return by.block[i] * threads + by.thread[i]; };
  for (const std::size_t i : std::set{std::size_t{0}, std::size_t{1}, threads - 1, threads, 2 * threads - 1, n - 1})
    if (i < n) table.row(i, by.block[i], by.thread[i], number(i));
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < n; ++i) wrong += by.thread[i] >= threads || number(i) != i;
  report.check_equal("elements that were signed by another thread than their own", wrong, 0);
}

// The elements, 50 in a row, coloured by the block that signed them; white if no thread did.
void draw(std::size_t n, std::size_t blocks, std::size_t threads, workbook::report& report) {
  constexpr std::size_t columns = 50;
  const std::size_t rows = (n + columns - 1) / columns;
  std::vector<double> colours(rows * columns, std::nan(""));
  const signatures by = signed_by(n, blocks, threads);
  for (std::size_t i = 0; i < n; ++i)
    if (by.block[i] != nobody) colours[i] = by.block[i];
  report.plot(workbook::heat_map{.title = std::to_string(blocks) + " blocks of " + std::to_string(threads),
                                 .x = {.label = "element, 50 in a row"},
                                 .y = {.label = "row"},
                                 .value = {.label = "block"},
                                 .rows = rows,
                                 .columns = columns,
                                 .values = colours});
}

// How many of the elements are there, and how many of those aren't the sum, computed in float64 and rounded once.
struct result {
  std::size_t written = 0, wrong = 0;
};

result compare(const std::vector<float>& x, const std::vector<float>& y, const std::vector<float>& sum) {
  result r;
  for (std::size_t i = 0; i < sum.size(); ++i) {
    if (std::isnan(sum[i])) continue;
    ++r.written;
    r.wrong += sum[i] != static_cast<float>(static_cast<double>(x[i]) + static_cast<double>(y[i]));
  }
  return r;
}

void too_few_and_too_many(std::size_t n, std::size_t threads, std::uint64_t seed, workbook::report& report) {
  report.heading("Too few, enough, too many");
  const auto x = gs::uniform<float>({n}, seed);
  const auto y = gs::uniform<float>({n}, seed + 1);
  const auto x_host = x.copy_to_host(), y_host = y.copy_to_host();
  const std::size_t enough = blocks_for(n, threads);
  auto& table = report.table("", {"blocks", "threads", "sums written", "sums wrong", "threads without work"});
  for (const std::size_t blocks : {enough - 1, enough, enough + 1, 10 * enough}) {
    if (blocks == 0) continue;                                      // if one block is enough
    const auto sum = gs::to_device(std::vector(n, std::nanf("")));  // what no thread writes stays NaN
    gs::launch<add>({.grid = blocks, .block = threads}, x, y, sum);
    const result r = compare(x_host, y_host, sum.copy_to_host());
    const std::size_t all = blocks * threads, expected = std::min(all, n);
    table.row(blocks, all, r.written, r.wrong, all - expected);
    report.check_equal(std::to_string(blocks) + " blocks: sums written", r.written, expected);
    report.check_equal(std::to_string(blocks) + " blocks: sums wrong", r.wrong, 0);
  }
  if (enough > 1) draw(n, enough - 1, threads, report);
  draw(n, enough, threads, report);
}

// Behind the n elements lies memory that isn't theirs: here it is the rest of a longer array, so that it can be
// examined.
template <auto kernel>
std::size_t changed_behind(std::size_t n, std::size_t blocks, std::size_t threads) {
  const std::size_t all = blocks * threads;
  const auto x = gs::to_device(std::vector(all, 1.0f)), longer = gs::to_device(std::vector(all, 7.0f));
  gs::launch<kernel>({.grid = blocks, .block = threads}, x.slice(0, n), x.slice(0, n), longer.slice(0, n));
  std::size_t changed = 0;
  for (const float value : longer.slice(n, all).copy_to_host()) changed += value != 7;
  return changed;
}

void without_the_guard(std::size_t n, std::size_t threads, workbook::report& report) {
  report.heading("Without the guard");
  const std::size_t blocks = blocks_for(n, threads);
  auto& table = report.table("", {"kernel", "threads without work", "elements changed behind the array"});
  const std::size_t guarded = changed_behind<add>(n, blocks, threads);
  table.row("add", blocks * threads - n, guarded);
  report.check_equal("elements that the guarded kernel changes behind the array", guarded, 0);
  try {
    table.row("add_unguarded", blocks * threads - n, changed_behind<add_unguarded>(n, blocks, threads));
  } catch (const gs::error& found) {  // in the checked flavour
    report.paragraph(found.what());
  }
}

void run(const workbook::parameters& given, workbook::report& report) {
  const std::size_t n = given.size(), threads = given.size("threads");
  who_does_what(n, threads, report);
  too_few_and_too_many(n, threads, given.seed(), report);
  without_the_guard(n, threads, report);
}

workbook::lesson workbook::this_lesson() {
  return {
      .number = 13,
      .name = "first_kernel",
      .title = "Threads, blocks, grid",
      .summary = "A kernel says what one thread does, the launch how many there are: too few, enough, too many.",
      .parameters = {workbook::integer{
                         .name = "size", .text = "elements", .min = 1, .max = 10'000'000, .default_value = 1000},
                     workbook::integer{
                         .name = "threads", .text = "threads per block", .min = 1, .max = 1024, .default_value = 128}},
      .run = run};
}
