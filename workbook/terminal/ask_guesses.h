#pragma once
// Asking for guesses on a terminal, before the lesson runs.

#include <istream>
#include <ostream>

#include "workbook/parameters.h"
#include "workbook/terminal/terminal.h"

namespace workbook {

/// Asks for the guess of each prediction that has none yet. An empty line leaves a prediction without a guess, the end
/// of the input this one and all that follow; what isn't a number is asked for again.
void ask_guesses(parameters& values, std::istream& in, std::ostream& out, const terminal& t);

}  // namespace workbook
