#include "workbook/exercise/state_mark.h"

#include "workbook/terminal/text_frame.h"

namespace workbook {

std::string mark_of(exercise_state s, const terminal& t) {
  constexpr colour green{0, 175, 95};
  switch (s) {
    case exercise_state::passed:
      return in_colour("✓", green, t);
    case exercise_state::started:
      return "…";
    case exercise_state::skipped:
      return dimmed("→", t);
    case exercise_state::untouched:
      break;
  }
  return " ";
}

}  // namespace workbook
