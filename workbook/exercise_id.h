#pragma once
// exercise_id: which exercise of the course is meant: a lesson's own, or the warm-up before it. How the two are written
// is decided here alone.

#include <compare>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace workbook {

struct exercise_id {
  int number = 0;        ///< the lesson's
  bool warm_up = false;  ///< the short exercise before the lesson's own

  // A number alone means the lesson's own exercise.
  constexpr exercise_id(int lesson = 0, bool before = false) : number(lesson), warm_up(before) {}

  /// In the order of the course: a warm-up comes before its lesson's exercise.
  friend constexpr auto operator<=>(const exercise_id& a, const exercise_id& b) {
    return std::pair(a.number, !a.warm_up) <=> std::pair(b.number, !b.warm_up);
  }
  friend constexpr bool operator==(const exercise_id&, const exercise_id&) = default;
};

/// "17"; of its warm-up "17w".
std::string to_string(exercise_id id);

/// The exercise meant by "4", "04" or "04w". Nothing for any other text, and for numbers above 9999.
std::optional<exercise_id> read_exercise_id(std::string_view text);

}  // namespace workbook
