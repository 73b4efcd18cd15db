// Lesson 15: the grid-stride loop. Any grid does the work for any number of elements, each element once.

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "runtime/gs.h"
#include "workbook/lesson.h"

using input = gs::view<const float>;
using output = gs::view<float>;

GS_FN float length_of(float x, float y) { return std::sqrt(x * x + y * y); }

// One element each: right if the grid has enough threads.
GS_FN void one_each(gs::thread t, input x, input y, output out) {
  const std::size_t i = t.grid();
  if (i < out.size()) out[i] = length_of(x[i], y[i]);
}

// Each thread goes on with the element that lies one whole grid further, until there is none.
GS_FN void strided(gs::thread t, input x, input y, output out) {
  for (std::size_t i = t.grid(); i < out.size(); i += t.gridsize()) out[i] = length_of(x[i], y[i]);
}

// The same guarantee in short: all threads together visit each index once. The device chooses which thread takes which.
GS_FN void grid_stride(gs::thread t, input x, input y, output out) {
  for (auto i : t.grid_stride(out.size())) out[i] = length_of(x[i], y[i]);
}

using array = gs::device_array<float>;

struct way {
  std::string name;
  void (*launch)(gs::launch_options shape, const array& x, const array& y, const array& out);
};
const std::vector<way> ways{
    {"one each", [](auto shape, auto& x, auto& y, auto& out) { gs::launch<one_each>(shape, x, y, out); }},
    {"i += t.gridsize()", [](auto shape, auto& x, auto& y, auto& out) { gs::launch<strided>(shape, x, y, out); }},
    {"t.grid_stride(n)", [](auto shape, auto& x, auto& y, auto& out) { gs::launch<grid_stride>(shape, x, y, out); }}};

// NaN in every element that hasn't been written.
array untouched(std::size_t size) {
  return gs::to_device(std::vector<float>(size, std::numeric_limits<float>::quiet_NaN()));
}

struct outcome {
  std::size_t written = 0, wrong = 0;
};
// Against float64, to two units in the last place.
outcome compare(const array& x, const array& y, const array& out) {
  const auto a = x.copy_to_host(), b = y.copy_to_host(), got = out.copy_to_host();
  outcome found;
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (std::isnan(got[i])) continue;
    const double expected = std::hypot(static_cast<double>(a[i]), static_cast<double>(b[i]));
    ++found.written;
    found.wrong += std::abs(static_cast<double>(got[i]) - expected) > 0x1p-22 * expected;
  }
  return found;
}

void too_few_threads(std::size_t size, const gs::launch_options& shape, std::uint64_t seed, workbook::report& report) {
  report.heading("Too few threads");
  const array x = gs::uniform<float>({size}, seed), y = gs::uniform<float>({size}, seed + 1);
  const auto threads = static_cast<std::size_t>(shape.grid.x * shape.block.x);
  auto& table = report.table("", {"kernel", "threads", "elements", "computed", "not touched", "wrong"});
  for (const way& w : ways) {
    const array out = untouched(size);
    w.launch(shape, x, y, out);
    const outcome found = compare(x, y, out);
    table.row(w.name, threads, size, found.written, size - found.written, found.wrong);
    report.check_equal(w.name + ": elements computed", found.written, &w == &ways[0] ? std::min(size, threads) : size);
    report.check_equal(w.name + ": elements wrong", found.wrong, 0);
  }
}

// --- who takes what --------------------------------------------------------------------------------------------------

GS_FN void note_strided(gs::thread t, gs::view<unsigned> owner, gs::view<unsigned> visits) {
  for (std::size_t i = t.grid(); i < owner.size(); i += t.gridsize()) {
    owner[i] = static_cast<unsigned>(t.grid());
    gs::atomic_ref(visits[i]).fetch_add(1u);
  }
}
GS_FN void note_grid_stride(gs::thread t, gs::view<unsigned> owner, gs::view<unsigned> visits) {
  for (auto i : t.grid_stride(owner.size())) {
    owner[i] = static_cast<unsigned>(t.grid());
    gs::atomic_ref(visits[i]).fetch_add(1u);
  }
}

void who_takes_what(workbook::report& report) {
  report.heading("Who takes what");
  constexpr unsigned blocks = 2, block_size = 4;
  constexpr std::size_t size = 21;
  const gs::launch_options shape{.grid = blocks, .block = block_size};
  std::vector<double> owners;
  std::vector<std::string> elements[2];
  for (const bool written_out : {true, false}) {
    const auto owner = gs::to_device(std::vector<unsigned>(size)), visits = gs::to_device(std::vector<unsigned>(size));
    if (written_out)
      gs::launch<note_strided>(shape, owner, visits);
    else
      gs::launch<note_grid_stride>(shape, owner, visits);
    std::vector<std::string>& of_thread = elements[written_out ? 0 : 1];
    of_thread.resize(blocks * block_size);
    const auto taken_by = owner.copy_to_host();
    for (std::size_t i = 0; i < size; ++i) {
      owners.push_back(taken_by[i]);
      of_thread[taken_by[i]] += (of_thread[taken_by[i]].empty() ? "" : ", ") + std::to_string(i);
    }
    report.check("each element is visited once by " + ways[written_out ? 1 : 2].name,
                 std::ranges::all_of(visits.copy_to_host(), [](unsigned times) { return times == 1; }));
  }
  auto& table = report.table("21 elements, 2 blocks of 4 threads", {"thread", ways[1].name, ways[2].name});
  for (std::size_t k = 0; k < elements[0].size(); ++k) table.row(k, elements[0][k], elements[1][k]);
  report.plot(workbook::heat_map{.title = "Who takes what",
                                 .x = {.label = "element"},
                                 .y = {.label = "above: i += t.gridsize(), below: t.grid_stride(n)"},
                                 .value = {.label = "thread"},
                                 .rows = 2,
                                 .columns = size,
                                 .values = owners});
}

void any_size_any_grid(std::uint64_t seed, workbook::report& report) {
  report.heading("Any size, any grid");
  std::size_t launches = 0, missing = 0, wrong = 0;
  for (const std::size_t size : {0, 1, 31, 32, 33, 1009, 4096})
    for (const unsigned blocks : {1u, 2u, 7u, 200u})
      for (const unsigned threads : {1u, 31u, 128u}) {
        const array x = gs::uniform<float>({size}, seed + size), y = gs::uniform<float>({size}, seed - size);
        for (const way* w : {&ways[1], &ways[2]}) {
          const array out = untouched(size);
          w->launch({.grid = blocks, .block = threads}, x, y, out);
          const outcome found = compare(x, y, out);
          ++launches, missing += size - found.written, wrong += found.wrong;
        }
      }
  report.check_equal("elements missing after " + std::to_string(launches) + " launches", missing, 0);
  report.check_equal("elements wrong after them", wrong, 0);
}

// --- how large a grid ------------------------------------------------------------------------------------------------

void how_large_a_grid(std::size_t size, unsigned threads, std::uint64_t seed, workbook::report& report) {
  report.heading("How large a grid");
  const array x = gs::uniform<float>({size}, seed), y = gs::uniform<float>({size}, seed + 1), out(size);
  const std::size_t all = (size + threads - 1) / threads;  // a thread for each element
  const auto time = [&](const way& w, std::size_t blocks) {
    const auto call = [&] {
      w.launch({.grid = blocks, .block = threads}, x, y, out);
      gs::synchronize();
    };
    return gs::timeit(call, {.min_run_seconds = 0.005, .max_seconds = 0.3}).best();
  };
  auto& table = report.table("", {"blocks", ways[1].name, ways[2].name, ways[0].name});
  std::vector<double> grids, times[2];
  for (std::size_t blocks = 1; blocks < all; blocks *= 4) {
    grids.push_back(static_cast<double>(blocks));
    for (std::size_t k : {0, 1}) times[k].push_back(time(ways[k + 1], blocks));
    table.row(blocks, workbook::seconds(times[0].back()), workbook::seconds(times[1].back()), workbook::cell());
  }
  grids.push_back(static_cast<double>(all));
  for (std::size_t k : {0, 1}) times[k].push_back(time(ways[k + 1], all));
  const double of_all = time(ways[0], all);
  table.row(all, workbook::seconds(times[0].back()), workbook::seconds(times[1].back()), workbook::seconds(of_all));
  const auto quickest = static_cast<std::size_t>(std::ranges::min_element(times[1]) - times[1].begin());
  report.paragraph("In pieces it is quickest with " + std::to_string(std::llround(grids[quickest])) +
                   " blocks, and takes " + std::to_string(std::llround(100 * times[1][quickest] / of_all)) +
                   " % of the time of a thread for each element.");
  for (auto& series : times)
    for (double& t : series) t *= 1e3;
  report.plot(workbook::xy_plot{
      .title = "How large a grid",
      .x = {.label = "blocks", .log = true},
      .y = {.label = "time of a launch", .unit = "ms", .log = true},
      .series = {{.name = ways[1].name, .x = grids, .y = times[0], .style = workbook::drawn_as::line_and_points},
                 {.name = ways[2].name, .x = grids, .y = times[1], .style = workbook::drawn_as::line_and_points}}});
}

void run(const workbook::parameters& given, workbook::report& report) {
  const gs::launch_options shape{.grid = given.integer("blocks"), .block = given.integer("threads")};
  too_few_threads(given.size(), shape, given.seed(), report);
  who_takes_what(report);
  any_size_any_grid(given.seed(), report);
  how_large_a_grid(given.size(), static_cast<unsigned>(given.integer("threads")), given.seed(), report);
}

workbook::lesson workbook::this_lesson() {
  return {
      .number = 15,
      .name = "grid_stride",
      .title = "Any amount of data with any grid",
      .summary = "A loop in the kernel frees the number of elements from the number of threads.",
      .parameters = {workbook::integer{.name = "size",
                                       .text = "elements",
                                       .min = 1,
                                       .max = 100'000'000,
                                       .default_value = 1'000'000,
                                       .inspected = 20'000},
                     workbook::integer{
                         .name = "blocks", .text = "blocks in the grid", .min = 1, .max = 65'535, .default_value = 30},
                     workbook::integer{
                         .name = "threads", .text = "threads in a block", .min = 1, .max = 1024, .default_value = 128}},
      .run = run};
}
