#pragma once
// An access picture in characters: a strip of sectors, or a table of banks, with the lanes in it.

#include <string>

#include "workbook/access_picture.h"
#include "workbook/terminal/terminal.h"

namespace workbook {

/// At most `t.width` columns wide, ends in a line break. Numbers are lanes; a legend says what the other marks are.
std::string access_text(const access_picture& p, const terminal& t);

}  // namespace workbook
