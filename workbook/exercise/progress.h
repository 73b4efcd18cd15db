#pragma once
// Progress: which exercises are begun, skipped and passed. A text file in the learner's folder, for people to read and
// to merge:
//
//   # number, name, state (started, skipped or passed), since when, hints taken
//   04w ufunc passed 2026-02-28 0
//   04 ufunc passed 2026-03-01 2
//   08 zero_suppress started 2026-03-02 0
//
// The number is that of an exercise_id: 04w is the warm-up of lesson 04. At most 1 MiB; exercises from 0 to 9999, names
// of letters, digits, _ and -, up to 1000 hints. A date that is missing is written as -, and hints that are none of
// these count as 0.

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "workbook/exercise_id.h"

namespace workbook {

/// In ascending order.
enum class exercise_state { untouched, started, skipped, passed };
std::string_view to_string(exercise_state s);

struct exercise_progress {
  exercise_id id = {};
  std::string name = {};
  exercise_state state = exercise_state::untouched;
  std::string date = {};  ///< since when it is in this state: "2026-03-01"
  unsigned hints = 0;     ///< how many have been shown
};

class progress {
 public:
  /// Reads the text of a file. A number that occurs twice counts with its better state and the most hints; other lines
  /// are kept.
  static progress read(std::string_view text);
  std::string to_text() const;

  /// An exercise without a line is untouched.
  exercise_progress of(exercise_id id) const;
  /// Sets an exercise's state, which is never lowered, and its date if the state changes.
  void advance(exercise_id id, const std::string& name, exercise_state s, const std::string& date);
  /// Records that at least `hints` hints have been shown; not once the exercise has passed, when they no longer help.
  void took_hints(exercise_id id, unsigned hints);
  /// The exercise begins anew: it is started, and no hint has been shown.
  void restart(exercise_id id, const std::string& name, const std::string& date);

 private:
  std::map<exercise_id, exercise_progress> exercises_;
  std::vector<std::string> foreign_lines_;  // lines that aren't about an exercise, as they came
};

/// Empty if there is no such file. Throws gs::error if it can't be read.
progress read_progress(const std::filesystem::path& file);
/// Replaces the file in one step, and makes its folder. Throws gs::error if that can't be done.
void write_progress(const std::filesystem::path& file, const progress& p);
/// Reads the file, and replaces it if `change(progress&)` changes anything.
template <class Change>
void change_progress(const std::filesystem::path& file, Change change) {
  progress p = read_progress(file);
  const std::string before = p.to_text();
  change(p);
  if (p.to_text() != before) write_progress(file, p);
}

/// Today's local date, as "2026-03-01".
std::string today();

}  // namespace workbook
