#include "assessments/grader/verdict/verdict.h"

namespace grader {

std::string to_string(criterion_state s) {
  switch (s) {
    case criterion_state::passed:
      return "passed";
    case criterion_state::partly:
      return "partly";
    case criterion_state::failed:
      return "failed";
    case criterion_state::not_run:
      break;
  }
  return "not_run";
}

}  // namespace grader
