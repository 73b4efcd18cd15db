#pragma once
// An inspection as text for a terminal: findings as a compiler writes its errors, counters as tables by kernel and
// line.

#include <string>

#include "runtime/instruments/results/inspection.h"
#include "workbook/terminal/terminal.h"

namespace workbook {

/// Whether a line's counters ask for a second look: its lanes, sectors or wavefronts are more than a tenth from their
/// ideal, or lanes wait for each other at an address.
bool could_do_better(const gs::line_counters& c);

/// Each finding with its lines of source; the counters of the lines that could do better, or of all lines; how many
/// findings there are. Source files are read as they are now; lines of a file that is gone are left out.
std::string to_text(const gs::inspection& result, const terminal& t, bool all_lines = false);

/// One finding alone, as it stands in the text of an inspection.
std::string to_text(const gs::finding& found, const terminal& t);

}  // namespace workbook
