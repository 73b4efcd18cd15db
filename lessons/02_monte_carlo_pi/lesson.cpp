// Lesson 02: pi by throwing darts, on one core and on all. How do you check a result that depends on chance?

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <set>
#include <string>
#include <vector>

#include "runtime/gs.h"
#include "workbook/lesson.h"

constexpr double pi = std::numbers::pi;

// Throws at the unit square and counts the darts inside the quarter circle. The stream is a copy: two calls with
// the same stream throw the same darts.
std::uint64_t hits(gs::random_state stream, std::uint64_t darts) {
  std::uint64_t count = 0;
  for (std::uint64_t k = 0; k < darts; ++k) {
    const double x = gs::uniform_float64(stream), y = gs::uniform_float64(stream);
    count += x * x + y * y <= 1;
  }
  return count;
}

double pi_of(std::uint64_t hits, std::uint64_t darts) {
  return 4 * static_cast<double>(hits) / static_cast<double>(darts);
}
// The typical error of such an estimate: a dart hits with probability pi / 4, and the estimate is 4 times the mean.
double standard_error(std::uint64_t darts) { return std::sqrt(pi * (4 - pi) / static_cast<double>(darts)); }

// Calls body(0), ..., body(pieces - 1) on all cores, in any order, and returns when all are done.
template <class F>
void on_all_cores(unsigned pieces, F body) {
  gs::for_pieces(pieces, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) body(static_cast<unsigned>(k));
  });
}

// The darts of piece k: equal shares, and one more for each of the first few if they don't divide evenly.
std::uint64_t share(std::uint64_t darts, unsigned pieces, unsigned k) { return darts / pieces + (k < darts % pieces); }

std::uint64_t sum(const std::vector<std::uint64_t>& counts) {
  std::uint64_t all = 0;
  for (const std::uint64_t one : counts) all += one;
  return all;
}

// A game whose darts are cut into pieces. Games 0, 1, ... of a seed use different streams, and so do a game's pieces.
struct game {
  std::uint64_t darts, seed;
  unsigned pieces;
  std::uint64_t number = 0;

  std::uint64_t streams_of_their_own() const {
    std::vector<std::uint64_t> counted(pieces);
    on_all_cores(pieces, [&](unsigned k) {
      counted[k] = hits(gs::random_state_at(seed, number * pieces + k), share(darts, pieces, k));
    });
    return sum(counted);
  }
  // The same with "+ k" forgotten: every piece begins where piece 0 begins.
  std::uint64_t one_stream_for_all() const {
    std::vector<std::uint64_t> counted(pieces);
    on_all_cores(pieces, [&](unsigned k) {
      counted[k] = hits(gs::random_state_at(seed, number * pieces), share(darts, pieces, k));
    });
    return sum(counted);
  }
  // Correct again, but each hit goes into one counter that all cores share.
  std::uint64_t one_counter_for_all() const {
    std::atomic<std::uint64_t> counted = 0;
    on_all_cores(pieces, [&](unsigned k) {
      gs::random_state stream = gs::random_state_at(seed, number * pieces + k);
      for (std::uint64_t mine = share(darts, pieces, k); mine > 0; --mine) {
        const double x = gs::uniform_float64(stream), y = gs::uniform_float64(stream);
        if (x * x + y * y <= 1) counted.fetch_add(1);
      }
    });
    return counted;
  }
};

void one_core(std::uint64_t darts, std::uint64_t seed, workbook::report& report) {
  report.heading("One core");
  auto& table = report.table("", {"darts", "pi", "error", "expected error", "error / expected"});
  table.columns[1].digits = 6;
  const gs::random_state stream = gs::random_state_at(seed, 0);
  double off = 0;
  for (std::uint64_t n = std::min<std::uint64_t>(darts, 100);; n = std::min(10 * n, darts)) {
    const double error = pi_of(hits(stream, n), n) - pi;
    off = error / standard_error(n);
    table.row(n, pi + error, error, standard_error(n), off);
    if (n == darts) break;
  }
  report.check_at_most("error of pi, in standard errors", std::abs(off), 5);
}

// Many small games instead of one large: their errors must scatter as theory predicts, neither more nor less.
void many_games(const game& one, std::uint64_t games, workbook::report& report) {
  report.heading("Which of the two is wrong?");
  std::vector<double> right, wrong;
  for (game g = one; g.number < games; ++g.number) {
    right.push_back((pi_of(g.streams_of_their_own(), g.darts) - pi) / standard_error(g.darts));
    wrong.push_back((pi_of(g.one_stream_for_all(), g.darts) - pi) / standard_error(g.darts));
  }
  const auto spread = [](const std::vector<double>& errors) {
    double squares = 0;
    for (const double e : errors) squares += e * e;
    return std::sqrt(squares / static_cast<double>(errors.size()));
  };
  const auto within = [](const std::vector<double>& errors, double limit) {
    const auto n = std::ranges::count_if(errors, [=](double e) { return std::abs(e) <= limit; });
    return 100 * static_cast<double>(n) / static_cast<double>(errors.size());
  };
  const std::string title = std::to_string(games) + " games, " + std::to_string(one.pieces) + " pieces, " +
                            std::to_string(one.darts) + " darts";
  auto& table = report.table(title, {"the pieces have", "first game's pi", "off by 1 at most [%]",
                                     "off by 2 at most [%]", "root mean square"});
  table.row("streams of their own", pi + right[0] * standard_error(one.darts), within(right, 1), within(right, 2),
            spread(right));
  table.row("one stream for all", pi + wrong[0] * standard_error(one.darts), within(wrong, 1), within(wrong, 2),
            spread(wrong));
  table.row("what chance says", pi, 100 * std::erf(1 / std::sqrt(2.0)), 100 * std::erf(2 / std::sqrt(2.0)), 1);
  // The root mean square of n numbers is itself uncertain by a factor of 1 +- 1 / sqrt(2 n).
  const double doubt = 5 / std::sqrt(2 * static_cast<double>(games));
  report.check_near("root mean square error with streams of their own, in standard errors", spread(right), 1, doubt);
  const double correlated = std::sqrt(one.pieces);
  report.check_near("and with one stream for all: the root of the number of pieces", spread(wrong), correlated, doubt);

  // Histogram and bell curve, both as the share of all games.
  constexpr double width = 0.5, end = 8;
  std::vector<double> middles, bell;
  for (double e = -end; e <= end; e += width) middles.push_back(e);
  const auto shares = [&](const std::vector<double>& errors) {
    std::vector<double> part(middles.size());
    for (const double e : errors) {
      const double bin = std::floor((e + end) / width + 0.5);
      if (bin >= 0 && bin < static_cast<double>(part.size()))
        part[static_cast<std::size_t>(bin)] += 1 / static_cast<double>(errors.size());
    }
    return part;
  };
  for (const double e : middles) bell.push_back(width * std::exp(-e * e / 2) / std::sqrt(2 * pi));
  report.plot(workbook::xy_plot{
      .title = "How far the games are off",
      .x = {.label = "error / expected error"},
      .y = {.label = "share of the games"},
      .series = {{.name = "chance", .x = middles, .y = bell},
                 {.name = "own streams", .x = middles, .y = shares(right), .style = workbook::drawn_as::points},
                 {.name = "one stream", .x = middles, .y = shares(wrong), .style = workbook::drawn_as::points}}});
}

void all_cores(std::uint64_t darts, std::uint64_t seed, workbook::report& report) {
  report.heading("All cores");
  const unsigned cores = gs::core_count();
  const gs::timeit_options quick{.runs = 3, .min_run_seconds = 0.02, .max_seconds = 0.3};
  const auto time = [&](const auto& statement) { return gs::timeit(statement, quick).best(); };
  const double alone = time([&] { return hits(gs::random_state_at(seed, 0), darts); });
  auto& table = report.table("The same darts on " + std::to_string(cores) + " cores",
                             {"pieces", "each counts for itself", "speed-up", "one counter for all", "speed-up"});
  std::set<unsigned> numbers{cores, cores + 1, 2 * cores, 8 * cores};
  for (unsigned n = 1; n < cores; n *= 2) numbers.insert(n);
  std::vector<double> pieces, own, shared;
  std::uint64_t lost = 0;
  for (const unsigned n : numbers) {
    const game g{.darts = darts, .seed = seed, .pieces = n};
    const double apart = time([&] { return g.streams_of_their_own(); });
    const double together = time([&] { return g.one_counter_for_all(); });
    lost += g.streams_of_their_own() != g.one_counter_for_all();
    pieces.push_back(n), own.push_back(alone / apart), shared.push_back(alone / together);
    table.row(n, workbook::seconds(apart), own.back(), workbook::seconds(together), shared.back());
  }
  report.check_equal("numbers of pieces where the two ways of counting disagree", lost, 0);
  report.check_equal("one piece counts what the plain loop counts",
                     game{.darts = darts, .seed = seed, .pieces = 1}.streams_of_their_own(),
                     hits(gs::random_state_at(seed, 0), darts));
  const auto c = static_cast<double>(cores);
  report.plot(workbook::xy_plot{
      .title = "Speed-up",
      .x = {.label = "pieces", .min = 0},
      .y = {.label = "times as fast as one core", .min = 0},
      .series = {{.name = "the best there is", .x = std::vector{0.0, c, 8 * c}, .y = std::vector{0.0, c, c}},
                 {.name = "own counters", .x = pieces, .y = own, .style = workbook::drawn_as::line_and_points},
                 {.name = "one counter", .x = pieces, .y = shared, .style = workbook::drawn_as::line_and_points}}});
}

void run(const workbook::parameters& given, workbook::report& report) {
  const std::uint64_t darts = given.size();
  one_core(darts, given.seed(), report);
  many_games({.darts = 10'000, .seed = given.seed(), .pieces = static_cast<unsigned>(given.integer("pieces"))},
             given.size("games"), report);
  all_cores(std::min<std::uint64_t>(darts, 10'000'000), given.seed(), report);
}

workbook::lesson workbook::this_lesson() {
  return {.number = 2,
          .name = "monte_carlo_pi",
          .title = "Pi by throwing darts, on one core and on all",
          .summary = "A parallel program whose result is made by chance: is it right, and is it faster?",
          .parameters = {workbook::integer{.name = "size",
                                           .text = "darts",
                                           .min = 1,
                                           .max = 1'000'000'000,
                                           .default_value = 10'000'000,
                                           .inspected = 100'000},
                         workbook::integer{.name = "pieces",
                                           .text = "pieces that a small game is cut into",
                                           .min = 1,
                                           .max = 64,
                                           .default_value = 8},
                         workbook::integer{.name = "games",
                                           .text = "small games",
                                           .min = 100,
                                           .max = 100'000,
                                           .default_value = 1'000,
                                           .inspected = 100}},
          .run = run};
}
