#pragma once
// The learner at one exercise: their file, their progress, the hints they have seen.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "workbook/catalogue.h"
#include "workbook/exercise/hints.h"
#include "workbook/exercise/progress.h"

namespace exercises {

/// The course, as it lies beside this program's build.
std::vector<workbook::course_part> the_course();

/// Makes the learner's file if there is none, and notes that the exercise is started; returns whether it made one.
/// Throws gs::error if that can't be written.
bool begin(const workbook::catalogue_exercise& exercise);

/// Records a better state. Throws as begin does.
void advance(const workbook::catalogue_exercise& exercise, workbook::exercise_state s);
workbook::exercise_state state_of(const workbook::catalogue_exercise& exercise);

/// A hint with its number, from 1 on, and the number of hints.
struct shown_hint {
  workbook::exercise_id exercise = {};
  workbook::hint hint;
  std::size_t number = 0, count = 0;
  bool is_new = true;  ///< false: all have been shown, and this is the last one again
};
/// The next hint, and notes that it was shown; all of them, and notes nothing, once the exercise has passed.
std::vector<shown_hint> next_hints(const workbook::catalogue_exercise& exercise);

/// Of the random data in the checks: 1 until the exercise has passed, then another one each time.
std::uint64_t seed_for(const workbook::catalogue_exercise& exercise);

/// The solution as it is shown. Throws gs::error where it isn't there.
std::string solution_of(const workbook::catalogue_exercise& exercise);

/// Replaces the learner's file by the starter; returns where the old one is kept, if there was one.
std::optional<std::filesystem::path> begin_again(const workbook::catalogue_exercise& exercise);

}  // namespace exercises
