#include "exercises/result/exercise_result.h"

#include <algorithm>

#include "runtime/core/printable.h"
#include "workbook/command_name.h"

namespace exercises {

std::string_view to_string(outcome o) {
  switch (o) {
    case outcome::passed:
      return "passed";
    case outcome::check_failed:
      return "check failed";
    case outcome::finding:
      return "finding";
    case outcome::exception:
      return "exception";
    case outcome::crashed:
      return "crash";
    case outcome::ended:
      return "ended";
    case outcome::timed_out:
      return "timed out";
    case outcome::out_of_memory:
      return "out of memory";
    case outcome::refused:
      return "refused";
    case outcome::compile_error:
      return "compile error";
  }
  return "unknown";
}

std::string shown_path(const std::filesystem::path& path) {
  return path.empty() ? "" : gs::detail::printable(workbook::path_from_here(path));
}

std::size_t exercise_result::failed_checks() const {
  return static_cast<std::size_t>(std::ranges::count(checks, false, &check_result::passed));
}

const check_result* exercise_result::first_failed_check() const {
  const auto failed = std::ranges::find(checks, false, &check_result::passed);
  return failed == checks.end() ? nullptr : &*failed;
}

bool exercise_result::fails_first() const {
  const check_result* failed = first_failed_check();
  return failed &&
         (findings.empty() || findings.front().checks_before >= static_cast<std::size_t>(failed - checks.data()));
}

bool exercise_result::finds_first() const {
  const check_result* failed = first_failed_check();
  return !findings.empty() &&
         (!failed || findings.front().checks_before <= static_cast<std::size_t>(failed - checks.data()));
}

}  // namespace exercises
