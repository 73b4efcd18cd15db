#pragma once
// Text that a stranger's program, compiler message or file name brought along, made fit to show.

#include "workbook/terminal/printable.h"

namespace grader {
using workbook::printable;
}  // namespace grader
