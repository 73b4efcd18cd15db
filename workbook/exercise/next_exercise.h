#pragma once
// The course's exercises, and which one comes next.

#include <vector>

#include "workbook/catalogue.h"
#include "workbook/exercise/progress.h"

namespace workbook {

/// All exercises in the order of the course: a lesson's warm-up, then its own.
std::vector<catalogue_exercise> exercises_of(const std::vector<course_part>& course);

/// The exercise that `text` means: "4", "04", "ufunc", "04_ufunc", or a path of its file; its warm-up is "4w", "04w" or
/// "04w_ufunc". Throws gs::error if there is none.
catalogue_exercise find_exercise(const std::vector<course_part>& course, const std::string& text);

/// The next exercise: the first that is started, or whose warm-up has passed; else the first that is untouched. nullptr
/// if all are done.
const catalogue_exercise* next_exercise(const std::vector<catalogue_exercise>& exercises, const progress& p);

/// The exercise to go on to from `current`: the first behind it that has neither passed nor been skipped; behind the
/// last of these, next_exercise.
const catalogue_exercise* following_exercise(const std::vector<catalogue_exercise>& exercises, const progress& p,
                                             exercise_id current);

/// The lessons to read on the way to an exercise: those after the exercise before it, up to its own, which comes last.
std::vector<catalogue_entry> lessons_before(const std::vector<course_part>& course, const catalogue_exercise& exercise);

/// What a list says of a lesson: passed once all its exercises are, skipped if what isn't passed is skipped, else
/// started once one is begun.
exercise_state state_of_lesson(const catalogue_entry& lesson, const progress& p);

}  // namespace workbook
