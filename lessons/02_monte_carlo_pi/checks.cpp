// What exercise 02 is checked for.

#include "workbook/exercise.h"
#include GRIDSTRIDE_EXERCISE

#include <string>

namespace {

// Hits of one stream, counted without the learner's functions: what each thread must find.
std::uint64_t counted_by_loop(std::uint64_t seed, std::uint64_t stream, std::uint64_t darts) {
  gs::random_state state = gs::random_state_at(seed, stream);
  std::uint64_t count = 0;
  while (darts-- > 0) {
    const double x = gs::uniform_float64(state);
    const double y = gs::uniform_float64(state);
    if (x * x + y * y <= 1) ++count;
  }
  return count;
}

void one_stream(workbook::report& report) {
  for (const std::uint64_t darts : {0, 1, 31, 1009, 100'003})
    report.check_equal("hits of " + std::to_string(darts) + " darts", hits(gs::random_state_at(3, 5), darts),
                       counted_by_loop(3, 5, darts));
}

// Written out for three cases: 785 hits of 1000, an estimate that is too large, and none at all.
void errors(workbook::report& report) {
  report.check_near("standard errors that 785 hits of 1,000 darts are off", standard_errors_off(785, 1'000),
                    0.030669004, 1e-6);
  report.check_near("standard errors that 900 hits of 1,000 darts are off", standard_errors_off(900, 1'000),
                    8.827341327, 1e-6);
  report.check_near("standard errors that 0 hits of 4 darts are off", standard_errors_off(0, 4), 3.826116761, 1e-6);
  report.check_near("standard errors that 4 hits of 4 darts are off", standard_errors_off(4, 4), 1.045446402, 1e-6);
  // More darts than an int or a float counts.
  report.check_near("standard errors that 7,854,000,000 hits of 10,000,000,000 darts are off",
                    standard_errors_off(7'854'000'000, 10'000'000'000), 0.447356267, 1e-6);
}

std::uint64_t share_of(unsigned k, std::uint64_t darts, unsigned pieces) {
  return darts / pieces + (k < darts % pieces ? 1 : 0);
}

void in_pieces(std::uint64_t darts, std::uint64_t seed, unsigned pieces, workbook::report& report) {
  std::uint64_t expected = 0;
  for (unsigned k = 0; k < pieces; ++k) expected += counted_by_loop(seed, k, share_of(k, darts, pieces));
  report.check_equal("hits_of_pieces: " + std::to_string(darts) + " darts in " + std::to_string(pieces) +
                         (pieces == 1 ? " piece" : " pieces"),
                     hits_of_pieces(darts, seed, pieces), expected);
}

// Where the counts are kept. A lost addition is rare, and on one core there is none: so the pieces run
// one after the other, and what two of them use is found by their accesses.
constexpr std::uint64_t darts_of_a_game = 4'001, seed_of_a_game = 11;
constexpr unsigned pieces_of_a_game = 5;
void on_their_own(workbook::report& report) {
  const gs::host_loops loops =
      gs::observe_host_loops([&] { hits_of_pieces(darts_of_a_game, seed_of_a_game, pieces_of_a_game); });
  report.check_equal("pieces that on_all_cores runs, of 5", loops.pieces, pieces_of_a_game);
  std::string shared = "none";
  for (const gs::shared_variable& one : loops.shared)
    shared = "pieces " + std::to_string(one.first) + " and " + std::to_string(one.second) + " share one" +
             (one.where.line > 0 ? " in line " + std::to_string(one.where.line) : "");
  report.check_equal("variables that a piece changes and another one uses", shared, "none");
}

// Which pieces throw: without one of them, the sum lacks its hits.
void by_the_pieces(workbook::report& report) {
  constexpr unsigned left_out = 3;
  std::uint64_t got = 0, expected = 0;
  gs::observe_host_loops([&] { got = hits_of_pieces(darts_of_a_game, seed_of_a_game, pieces_of_a_game); }, left_out);
  for (unsigned k = 0; k < pieces_of_a_game; ++k)
    if (k != left_out) expected += counted_by_loop(seed_of_a_game, k, share_of(k, darts_of_a_game, pieces_of_a_game));
  report.check_equal("hits_of_pieces: 4001 darts in 5 pieces, if piece 3 isn't run", got, expected);
}

}  // namespace

workbook::exercise workbook::this_exercise() {
  return {.number = 2,
          .name = "monte_carlo_pi",
          .task = "darts on one core, how far off they are, and darts on all cores",
          .check = [](workbook::report& report) {
            one_stream(report);
            errors(report);
            in_pieces(1'009, 1, 1, report);
            if (gs::can_inspect()) on_their_own(report);
            in_pieces(40'000, 2, 2, report);
            in_pieces(30'000, 3, 3, report);
            in_pieces(100'003, 4, 7, report);  // shares that don't divide evenly
            in_pieces(31, 5, 33, report);      // more pieces than darts
            in_pieces(0, 6, 4, report);
            in_pieces(6'400, 7, 6'400, report);
            if (gs::can_inspect()) by_the_pieces(report);
          }};
}
