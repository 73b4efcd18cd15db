#pragma once
// A report as text for a terminal.

#include <string>

#include "workbook/report.h"
#include "workbook/terminal/terminal.h"

namespace workbook {

/// The whole report: its head, its items in order, and how the checks went.
std::string to_text(const report& r, const terminal& t);

}  // namespace workbook
