#include "workbook/exercise/next_exercise.h"

#include <fmt/format.h>

#include <filesystem>

#include "runtime/core/error.h"

namespace workbook {

std::vector<catalogue_entry> exercises_of(const std::vector<course_part>& course) {
  std::vector<catalogue_entry> exercises;
  for (const course_part& part : course)
    for (const catalogue_entry& entry : part.lessons)
      if (entry.has_exercise) exercises.push_back(entry);
  return exercises;
}

catalogue_entry find_exercise(const std::vector<course_part>& course, const std::string& text) {
  // "lessons/04_ufunc/", "my/04_ufunc.cpp"
  std::filesystem::path path = text;
  if (!path.has_filename()) path = path.parent_path();
  const auto refuse = [&](const std::string& found) {
    std::string numbers;
    for (const catalogue_entry& e : exercises_of(course))
      numbers += fmt::format("{}{:02}", numbers.empty() ? "" : ", ", e.number);
    throw gs::error(fmt::format("exercise '{}'", text), found, "choose one of " + numbers);
  };
  catalogue_entry found;
  try {
    found = find_lesson(course, path.extension() == ".cpp" ? path.stem().string() : path.filename().string());
  } catch (const gs::error& e) {
    refuse(e.found());
  }
  if (!found.has_exercise) refuse(fmt::format("lesson {} has none", found.program()));
  return found;
}

const catalogue_entry* next_exercise(const std::vector<catalogue_entry>& exercises, const progress& p) {
  for (const exercise_state state : {exercise_state::started, exercise_state::untouched})
    for (const catalogue_entry& e : exercises)
      if (p.of(e.number).state == state) return &e;
  return nullptr;
}

std::vector<catalogue_entry> lessons_before(const std::vector<course_part>& course, const catalogue_entry& exercise) {
  std::vector<catalogue_entry> lessons;
  for (const course_part& part : course)
    for (const catalogue_entry& entry : part.lessons) {
      if (entry.number == exercise.number && entry.name == exercise.name) {
        lessons.push_back(entry);
        return lessons;
      }
      if (entry.has_exercise)
        lessons.clear();
      else
        lessons.push_back(entry);
    }
  return lessons;
}

}  // namespace workbook
