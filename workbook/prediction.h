#pragma once
// A prediction: what the reader is asked before a lesson measures it, what they guessed, and what came out.

#include <optional>
#include <string>
#include <string_view>

namespace workbook {

/// A question whose answer is a number. The guess comes as `--guess-NAME VALUE`, or is asked for on a terminal.
struct prediction {
  std::string name = {};      ///< "crossover", as parameters are named
  std::string question = {};  ///< one sentence that ends with a question mark
  std::string unit = {};      ///< what is counted; with "s", "B", "B/s" or "FLOP/s" results get the prefix that fits
};

/// A prediction that was put to the test.
struct tested_prediction {
  prediction asked;
  std::optional<double> guess;  ///< nothing if the reader made none
  double measured = 0;          ///< NaN if nothing was timed, infinite if what was looked for isn't there

  /// measured / guess, if both are finite and not 0 and have the same sign.
  std::optional<double> factor() const;
};

/// Reads a guess as it is typed: any number, also as 1e5, 100k, 1_000 or 2.5M. Throws gs::error if it isn't one.
double parse_guess(const prediction& p, std::string_view text);

/// A number in the prediction's unit: "61,440 elements", "3.42 ms"; NaN: "not measured", infinite: "none found".
std::string answer_text(const prediction& p, double value);

/// How the outcome differs from a guess: ", 3.2 times your guess"; empty without a guess.
std::string comparison_text(const tested_prediction& p);

}  // namespace workbook
