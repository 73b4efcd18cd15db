// Lesson 20: random numbers. A stream of its own for every thread, and pi from darts.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <numeric>
#include <string>
#include <vector>

#include "runtime/gs.h"
#include "workbook/lesson.h"

constexpr double pi = std::numbers::pi;

// One dart at the unit square: is it within the circle? The fused multiply-add is written out, so that every compiler
// rounds in the same place and every device decides alike.
GS_FN bool is_inside(gs::random_state& state) {
  const float x = gs::uniform_float32(state), y = gs::uniform_float32(state);
  return std::fma(x, x, y * y) <= 1;
}

GS_FN void throw_darts(gs::thread t, gs::view<gs::random_state> states, std::uint32_t darts,
                       gs::view<std::uint64_t> inside) {
  gs::random_state state = states[t.grid()];  // a copy, which lives in registers
  std::uint64_t count = 0;
  for (std::uint32_t k = 0; k < darts; ++k) count += is_inside(state);
  states[t.grid()] = state;  // the next launch goes on where this one ends
  inside[t.grid()] += count;
}

using counts = std::vector<std::uint64_t>;

double estimate(const counts& inside, double darts_each) {
  const auto hits = static_cast<double>(std::accumulate(inside.begin(), inside.end(), std::uint64_t{0}));
  return 4 * hits / (darts_each * static_cast<double>(inside.size()));
}
// The standard deviation of such an estimate: a dart hits with probability pi / 4.
double expected_error(double darts) { return std::sqrt(pi * (4 - pi) / darts); }

// A grid, and how often each of its threads throws.
struct game {
  unsigned blocks, threads;
  std::uint32_t darts;
  std::uint64_t seed;

  std::size_t streams() const { return std::size_t{blocks} * threads; }
  double all_darts() const { return static_cast<double>(streams()) * darts; }
  gs::device_array<gs::random_state> fresh_states() const { return gs::random_states(streams(), seed); }
  gs::device_array<std::uint64_t> zeros() const { return gs::to_device(counts(streams(), 0)); }

  counts play(const gs::device_array<gs::random_state>& states) const {
    const auto inside = zeros();
    gs::launch<throw_darts>({.grid = blocks, .block = threads}, states, darts, inside);
    return inside.copy_to_host();
  }
};

counts streams_of_threads(const game& g, workbook::report& report) {
  report.heading("A stream for every thread");
  const auto states = g.fresh_states();
  const auto at_first = states.copy_to_host();
  auto& table = report.table("", {"thread", "first draw", "second draw", "third draw"});
  for (std::size_t i = 0; i < std::min<std::size_t>(4, g.streams()); ++i) {
    gs::random_state state = at_first[i];
    const float first = gs::uniform_float32(state), second = gs::uniform_float32(state);
    table.row(i, first, second, gs::uniform_float32(state));
  }

  const counts inside = g.play(states);
  const double value = estimate(inside, g.darts), sigma = expected_error(g.all_darts());
  auto& result = report.table("Pi", {"what", "value"});
  result.columns[1].digits = 6;
  result.row("threads", g.streams());
  result.row("darts", static_cast<std::uint64_t>(g.all_darts()));
  result.row("pi", value);
  result.row("error", value - pi);
  result.row("expected error", sigma);
  report.check_at_most("error of pi, in standard deviations", std::abs(value - pi) / sigma, 5);

  // The same on the host, one thread's darts after another: the functions are ordinary functions.
  std::size_t tried = 0, different = 0;
  for (std::size_t i = 0; i < g.streams(); i += (g.streams() + 15) / 16, ++tried) {
    gs::random_state state = gs::random_state_at(g.seed, i);
    std::uint64_t count = 0;
    for (std::uint32_t k = 0; k < g.darts; ++k) count += is_inside(state);
    different += count != inside[i];
  }
  report.check_equal("threads that counted otherwise than the host, of " + std::to_string(tried), different, 0);
  return inside;
}

void one_stream_for_all(const game& g, const counts& inside, workbook::report& report) {
  report.heading("One stream for all");
  const std::vector<gs::random_state> same(g.streams(), gs::random_state_at(g.seed, 0));
  const counts shared = g.play(gs::to_device(same));
  auto& table = report.table("The same number of darts", {"every thread has", "pi", "error", "different counts"});
  table.columns[1].digits = 6;
  for (const auto& [name, result] : {std::pair{"a stream of its own", inside}, std::pair{"the first stream", shared}}) {
    counts distinct = result;
    std::ranges::sort(distinct);
    const auto repeated = std::ranges::unique(distinct);
    const double value = estimate(result, g.darts);
    table.row(name, value, value - pi, distinct.size() - repeated.size());
  }
  report.check("with one stream, every thread counts what thread 0 counts",
               std::ranges::all_of(shared, [&](std::uint64_t count) { return count == inside[0]; }));
}

void error_and_darts(const game& g, const counts& inside, workbook::report& report) {
  report.heading("How many darts for one more digit");
  auto states = g.fresh_states();
  auto counted = g.zeros();
  std::vector<double> darts, single, together;
  std::uint32_t thrown = 0;
  const auto throw_until = [&](std::uint32_t end) {
    gs::launch<throw_darts>({.grid = g.blocks, .block = g.threads}, states, end - thrown, counted);
    thrown = end;
  };
  // Each thread's count is an estimate of its own: their root mean square says how far one of them is off.
  const auto note = [&] {
    const counts now = counted.copy_to_host();
    double squares = 0;
    for (const std::uint64_t count : now) squares += std::pow(4 * static_cast<double>(count) / thrown - pi, 2);
    darts.push_back(thrown);
    single.push_back(std::sqrt(squares / static_cast<double>(now.size())));
    together.push_back(std::abs(estimate(now, thrown) - pi));
  };
  for (std::uint64_t end = 1; end < g.darts; end *= 10) throw_until(static_cast<std::uint32_t>(end)), note();
  throw_until(g.darts), note();

  auto& table =
      report.table("", {"darts of a thread", "error of one thread", "expected", "error of all threads", "expected"});
  std::vector<double> all_darts, expected;
  for (std::size_t k = 0; k < darts.size(); ++k) {
    all_darts.push_back(darts[k] * static_cast<double>(g.streams()));
    table.row(static_cast<std::uint64_t>(darts[k]), single[k], expected_error(darts[k]), together[k],
              expected_error(all_darts[k]));
  }
  report.check("many launches count what one launch counted", counted.copy_to_host() == inside);
  // The root mean square of n estimates is itself uncertain by a factor of 1 +- 1 / sqrt(2 n).
  report.check_near("error of one thread", single.back(), expected_error(g.darts),
                    5 / std::sqrt(2.0 * static_cast<double>(g.streams())));

  const std::vector<double> line{1, g.all_darts()};
  report.plot(workbook::xy_plot{
      .title = "The error of pi",
      .x = {.label = "darts", .log = true},
      .y = {.label = "error", .log = true},
      .series = {{.name = "1.64 / sqrt(darts)", .x = line, .y = {expected_error(line[0]), expected_error(line[1])}},
                 {.name = "one thread", .x = darts, .y = single, .style = workbook::drawn_as::points},
                 {.name = "all threads", .x = all_darts, .y = together, .style = workbook::drawn_as::points}}});
}

void accidents(workbook::report& report) {
  report.heading("Rare accidents");
  auto& table = report.table("uniform_float32", {"seed", "stream", "draw", "as Numba", "strict"});
  table.columns[3].digits = table.columns[4].digits = 9;
  const auto draw = [](std::uint64_t seed, std::uint64_t stream, int number, gs::random_mode mode,
                       gs::random_mode seeding) {
    gs::random_state state = gs::random_state_at(seed, stream, seeding);
    for (int k = 0; k < number; ++k) gs::next_uint64(state);
    return gs::uniform_float32(state, mode);
  };
  const auto numba = gs::random_mode::numba;
  const float one = draw(18058, 13343, 36, numba, numba), below = draw(18058, 13343, 36, gs::strict, numba);
  table.row("18058", 13343, 36, one, below);
  report.check_equal("a number of [0, 1) that is 1", one, 1.0F);
  report.check("the strict one is below 1", below < 1);

  constexpr std::uint64_t dead = 7046029254386353131;
  const gs::random_state zero = gs::random_state_at(dead, 5), alive = gs::random_state_at(dead, 5, gs::strict);
  table.row(std::to_string(dead), 5, 0, draw(dead, 5, 0, numba, numba), draw(dead, 5, 0, gs::strict, gs::strict));
  report.check("one seed gives a state that draws zeros for ever", zero == gs::random_state{0, 0});
  report.check("with strict seeding it doesn't", alive != gs::random_state{0, 0});
}

void times(const game& g, workbook::report& report) {
  report.heading("What it costs");
  const gs::timeit_options quick{.min_run_seconds = 0.05, .max_seconds = 2};
  const auto states = g.fresh_states();
  const auto inside = g.zeros();
  report.timing("making the states", gs::timeit([&] { return g.fresh_states().size(); }, quick));
  report.timing("throwing the darts", gs::timeit(
                                          [&] {
                                            gs::launch<throw_darts>({.grid = g.blocks, .block = g.threads}, states,
                                                                    g.darts, inside);
                                            gs::synchronize();
                                          },
                                          quick));
}

void run(const workbook::parameters& given, workbook::report& report) {
  const game g{.blocks = static_cast<unsigned>(given.size("blocks")),
               .threads = static_cast<unsigned>(given.size("threads")),
               .darts = static_cast<std::uint32_t>(given.size()),
               .seed = given.seed()};
  const counts inside = streams_of_threads(g, report);
  one_stream_for_all(g, inside, report);
  error_and_darts(g, inside, report);
  accidents(report);
  times(g, report);
}

workbook::lesson workbook::this_lesson() {
  return {
      .number = 20,
      .name = "random_numbers",
      .title = "A stream of numbers for every thread",
      .summary = "Pi from darts thrown by 1,536 threads: streams that never meet, and the same bits on every device.",
      .parameters =
          {workbook::integer{
               .name = "size", .text = "darts of each thread", .min = 1, .max = 1'000'000, .default_value = 10'000},
           workbook::integer{.name = "blocks", .text = "blocks", .min = 1, .max = 10'000, .default_value = 24},
           workbook::integer{
               .name = "threads", .text = "threads of a block", .min = 1, .max = 1024, .default_value = 64}},
      .run = run};
}
