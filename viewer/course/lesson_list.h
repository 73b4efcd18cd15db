#pragma once
// lesson_list: a list to choose a lesson from, as pages about one lesson have it.

#include <optional>
#include <vector>

#include "viewer/theme.h"
#include "workbook/catalogue.h"

namespace viewer {

/// Draws the list with `chosen` as its value, and returns the lesson that was pressed in this frame; else null.
const workbook::catalogue_entry* draw_lesson_list(const theme& look, const std::vector<workbook::course_part>& course,
                                                  const std::optional<workbook::catalogue_entry>& chosen);

}  // namespace viewer
