#pragma once
// An ornament as on bank notes, drawn from a signature: another signature, another rosette.

#include <string_view>

#include "workbook/picture/drawing.h"

namespace grader {

/// `signature`: hexadecimal digits, at least 16. The petals of its rings, their depth and their turn come from them.
void paint_rosette(workbook::drawing& d, workbook::position centre, double radius, std::string_view signature);

}  // namespace grader
