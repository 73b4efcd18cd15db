#pragma once
// The course's exercises, and which one comes next.

#include <vector>

#include "workbook/catalogue.h"
#include "workbook/exercise/progress.h"

namespace workbook {

/// The lessons that have an exercise, in the order of the course.
std::vector<catalogue_entry> exercises_of(const std::vector<course_part>& course);

/// The exercise that `text` means: "4", "04", "ufunc", "04_ufunc", or a path of its file. Throws gs::error if there is
/// none.
catalogue_entry find_exercise(const std::vector<course_part>& course, const std::string& text);

/// The next exercise: the first that is started, else the first that is untouched. nullptr if all are done.
const catalogue_entry* next_exercise(const std::vector<catalogue_entry>& exercises, const progress& p);

/// The lessons to read on the way to an exercise: those after the exercise before it, up to its own, which comes last.
std::vector<catalogue_entry> lessons_before(const std::vector<course_part>& course, const catalogue_entry& exercise);

}  // namespace workbook
