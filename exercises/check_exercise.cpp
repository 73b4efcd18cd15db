#include "exercises/check_exercise.h"

#include <system_error>

#include "assessments/grader/file_text.h"
#include "exercises/compile_exercise.h"
#include "exercises/run_checks.h"
#include "exercises/source_functions.h"

namespace exercises {

namespace fs = std::filesystem;

namespace {

// Where the file defines the first thing that the text names: a function, or a ufunc. It is as it is now.
gs::source_place place_of(const std::string& text, const std::string& source, const std::string& file) {
  const source_functions functions(source), words(text);
  for (const source_token& word : words.tokens()) {
    for (const std::size_t f : functions.named(word.text))
      if (const source_function& one = functions.functions()[f]; one.of.empty() && one.end > one.parameters)
        return {file, functions.tokens()[one.name].line, 0};
    for (std::size_t k = 2; word.is_name() && k + 1 < functions.tokens().size(); ++k)
      if (functions.text(k) == word.text && functions.text(k - 1) == "auto" && functions.text(k - 2) == "constexpr")
        return {file, functions.tokens()[k].line, 0};
  }
  return {};
}

}  // namespace

std::string shown_path(const fs::path& path) {
  if (path.empty()) return "";
  const fs::path whole = fs::absolute(path).lexically_normal();
  const fs::path relative = whole.lexically_relative(fs::current_path());
  return (relative.empty() || *relative.begin() == ".." ? whole : relative).string();
}

std::optional<exercise_result> check_exercise(const workbook::catalogue_entry& exercise, const fs::path& file,
                                              const check_options& o) {
  exercise_result result{.exercise = exercise, .file = shown_path(file)};
  const auto compiled = compile(file, o.level, o.by, result);
  if (std::holds_alternative<interrupted>(compiled)) return std::nullopt;
  if (const auto* program = std::get_if<exercise_program>(&compiled))
    if (!run_checks(*program, o, result)) return std::nullopt;
  if (const check_result* failed = result.first_failed_check()) {
    std::error_code gone;
    if (fs::is_regular_file(file, gone))
      result.asked = place_of(failed->name, grader::read_text(file, "reading " + result.file), result.file);
  }
  return result;
}

}  // namespace exercises
