#include "workbook/exercise/next_exercise.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>

#include "runtime/core/error.h"

namespace workbook {

namespace {

// The lesson's part of "17w_histogram", and whether the word means its warm-up.
std::pair<std::string, bool> lesson_and_warm_up(std::string word) {
  const std::size_t end = std::min(word.find('_'), word.size());
  const auto id = read_exercise_id(std::string_view(word).substr(0, end));
  const bool warm_up = id && id->warm_up;
  if (warm_up) word.erase(end - 1, 1);
  return {std::move(word), warm_up};
}

}  // namespace

std::vector<catalogue_exercise> exercises_of(const std::vector<course_part>& course) {
  std::vector<catalogue_exercise> exercises;
  for (const course_part& part : course)
    for (const catalogue_entry& entry : part.lessons)
      exercises.insert(exercises.end(), entry.exercises.begin(), entry.exercises.end());
  return exercises;
}

catalogue_exercise find_exercise(const std::vector<course_part>& course, const std::string& text) {
  // "lessons/04_ufunc/", "my/04_ufunc.cpp"
  std::filesystem::path path = text;
  if (!path.has_filename()) path = path.parent_path();
  const auto refuse = [&](const std::string& found) {
    std::string numbers;
    for (const catalogue_exercise& e : exercises_of(course))
      numbers += fmt::format("{}{}", numbers.empty() ? "" : ", ", to_string(e.id()));
    throw gs::error(fmt::format("exercise '{}'", text), found, "choose one of " + numbers);
  };
  const auto [lesson, warm_up] =
      lesson_and_warm_up(path.extension() == ".cpp" ? path.stem().string() : path.filename().string());
  catalogue_entry found;
  try {
    found = find_lesson(course, lesson);
  } catch (const gs::error& e) {
    refuse(e.found());
  }
  const auto exercise = std::ranges::find(found.exercises, warm_up, &catalogue_exercise::warm_up);
  if (exercise == found.exercises.end())
    refuse(fmt::format("lesson {} has {}", found.program(), warm_up ? "no warm-up" : "none"));
  return *exercise;
}

const catalogue_exercise* next_exercise(const std::vector<catalogue_exercise>& exercises, const progress& p) {
  const auto state_of = [&](const catalogue_exercise& e) {
    const exercise_state state = p.of(e.id()).state;
    const bool warmed_up = !e.warm_up && p.of({e.number, true}).state == exercise_state::passed;
    return warmed_up ? std::max(state, exercise_state::started) : state;
  };
  for (const exercise_state state : {exercise_state::started, exercise_state::untouched})
    for (const catalogue_exercise& e : exercises)
      if (state_of(e) == state) return &e;
  return nullptr;
}

const catalogue_exercise* following_exercise(const std::vector<catalogue_exercise>& exercises, const progress& p,
                                             exercise_id current) {
  const auto from = std::ranges::find(exercises, current, &catalogue_exercise::id);
  const auto next = std::find_if(from, exercises.end(), [&](const catalogue_exercise& e) {
    return e.id() != current && p.of(e.id()).state < exercise_state::skipped;
  });
  return next == exercises.end() ? next_exercise(exercises, p) : &*next;
}

std::vector<catalogue_entry> lessons_before(const std::vector<course_part>& course,
                                            const catalogue_exercise& exercise) {
  std::vector<catalogue_entry> lessons;
  for (const course_part& part : course)
    for (const catalogue_entry& entry : part.lessons) {
      if (entry.number == exercise.number && entry.name == exercise.name) {
        if (!exercise.warm_up && entry.exercises.front().warm_up) lessons.clear();  // they were read for the warm-up
        lessons.push_back(entry);
        return lessons;
      }
      if (entry.exercises.empty())
        lessons.push_back(entry);
      else
        lessons.clear();
    }
  return lessons;
}

exercise_state state_of_lesson(const catalogue_entry& lesson, const progress& p) {
  if (lesson.exercises.empty()) return exercise_state::untouched;
  exercise_state least = exercise_state::passed, most = exercise_state::untouched;
  for (const catalogue_exercise& e : lesson.exercises) {
    least = std::min(least, p.of(e.id()).state);
    most = std::max(most, p.of(e.id()).state);
  }
  return most == exercise_state::untouched ? most : std::max(least, exercise_state::started);
}

}  // namespace workbook
