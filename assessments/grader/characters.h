#pragma once
// The characters of texts in UTF-8 that others wrote.

#include "workbook/terminal/characters.h"

namespace grader {
using workbook::character, workbook::characters_of, workbook::is_control, workbook::one_line;
}  // namespace grader
