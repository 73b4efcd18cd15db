#include "exercises/check/check_exercise.h"

#include <system_error>

#include "exercises/check/asked_place.h"
#include "exercises/check/compile_exercise.h"
#include "exercises/check/run_checks.h"
#include "workshop/file_text.h"

namespace exercises {

namespace fs = std::filesystem;

std::optional<exercise_result> check_exercise(const workbook::catalogue_exercise& exercise, const fs::path& file,
                                              const check_options& o) {
  exercise_result result{.exercise = exercise, .file = shown_path(file)};
  const auto compiled =
      compile(file, o.level, o.by, result, o.by_nvcc ? workshop::flavour::cuda : workshop::flavour::checked);
  if (std::holds_alternative<interrupted>(compiled)) return std::nullopt;
  if (const auto* program = std::get_if<exercise_program>(&compiled))
    if (!run_checks(*program, o, result)) return std::nullopt;
  if (const check_result* failed = result.first_failed_check()) {
    std::error_code error;
    if (fs::is_regular_file(file, error))
      result.asked_place = asked_place(*failed, workshop::read_text(file, "reading " + result.file),
                                       workshop::read_text(checks_of(exercise), "reading the checks"));
    if (result.asked_place.line > 0) result.asked_place.file = result.file;
  }
  return result;
}

}  // namespace exercises
