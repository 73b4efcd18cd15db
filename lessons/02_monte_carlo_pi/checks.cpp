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
}

void in_pieces(std::uint64_t darts, std::uint64_t seed, unsigned pieces, workbook::report& report) {
  std::uint64_t expected = 0;
  for (unsigned k = 0; k < pieces; ++k)
    expected += counted_by_loop(seed, k, darts / pieces + (k < darts % pieces ? 1 : 0));
  report.check_equal(
      "hits of " + std::to_string(darts) + " darts in " + std::to_string(pieces) + (pieces == 1 ? " piece" : " pieces"),
      hits_of_pieces(darts, seed, pieces), expected);
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
            in_pieces(40'000, 2, 2, report);
            in_pieces(30'000, 3, 3, report);
            in_pieces(100'003, 4, 7, report);  // shares that don't come out even
            in_pieces(31, 5, 33, report);      // more pieces than darts
            in_pieces(0, 6, 4, report);
            in_pieces(6'400, 7, 6'400, report);  // so many short pieces that a sum shared by all cores loses some
          }};
}
