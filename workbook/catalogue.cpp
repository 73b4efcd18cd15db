#include "workbook/catalogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <sstream>
#include <utility>

#include "runtime/core/error.h"
#include "workbook/course_file.h"

namespace workbook {
namespace {

// The title that a lesson's program gives itself: `.title = "..."` of this_lesson(). Empty if it can't be found.
std::string title_in(const std::filesystem::path& program) {
  std::ostringstream whole;
  whole << std::ifstream(program).rdbuf();
  const std::string source = std::move(whole).str();
  const std::string_view field = ".title = \"";
  const std::size_t title = source.find(field, source.find("this_lesson()"));
  if (title == source.npos) return "";
  const std::size_t begin = title + field.size(), end = source.find('"', begin);
  return end == source.npos ? "" : source.substr(begin, end - begin);
}

// What an environment variable names, if it is set.
std::optional<std::filesystem::path> folder_in(const char* variable) {
  const char* const folder = std::getenv(variable);
  if (folder == nullptr || *folder == '\0') return std::nullopt;
  return folder;
}

// "06_gaussian_pdf" -> 6 and "gaussian_pdf".
std::optional<catalogue_entry> entry_of_folder(const std::string& folder) {
  const std::size_t bar = folder.find('_');
  if (bar == folder.npos || bar + 1 == folder.size()) return {};
  catalogue_entry entry;
  const auto read = std::from_chars(folder.data(), folder.data() + bar, entry.number);
  if (read.ec != std::errc{} || read.ptr != folder.data() + bar) return {};
  entry.name = folder.substr(bar + 1);
  entry.title = entry.name;
  return entry;
}

std::vector<catalogue_exercise> exercises_in(const std::filesystem::path& folder, const catalogue_entry& lesson) {
  std::vector<catalogue_exercise> exercises;
  for (const bool warm_up : {true, false}) {
    catalogue_exercise exercise{
        .number = lesson.number, .name = lesson.name, .title = lesson.title, .warm_up = warm_up};
    if (std::filesystem::exists(folder / (warm_up ? "warm_up" : "") / "checks.cpp"))
      exercises.push_back(std::move(exercise));
  }
  return exercises;
}

std::string numbers_of(const std::vector<course_part>& course) {
  std::string list;
  for (const course_part& part : course)
    for (const catalogue_entry& entry : part.lessons) list += (list.empty() ? "" : ", ") + entry.program();
  return list.empty() ? "no lesson is there yet" : "choose one of " + list;
}

}  // namespace

std::string program_name(int number, const std::string& name) {
  return number < 0 ? name : fmt::format("{:02}_{}", number, name);
}

bool means_lesson(std::string_view text, int number, const std::string& name) {
  if (text == name || text == program_name(number, name)) return true;
  int read_number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), read_number);
  return read.ec == std::errc{} && read.ptr == text.data() + text.size() && read_number == number;
}

std::string catalogue_exercise::label() const { return fmt::format("{}_{}", to_string(id()), name); }
std::string catalogue_exercise::folder() const {
  return fmt::format("{:02}_{}{}", number, name, warm_up ? "/warm_up" : "");
}

std::filesystem::path checkout_root() { return folder_in("GRIDSTRIDE_ROOT").value_or(GRIDSTRIDE_SOURCE_DIR); }
std::filesystem::path course_root() { return folder_in("GRIDSTRIDE_COURSE").value_or(checkout_root()); }

std::filesystem::path course_build(const std::filesystem::path& build) {
  const auto course = folder_in("GRIDSTRIDE_COURSE");
  return course ? *course / "build" / build.filename() : build;
}

std::vector<course_part> read_catalogue(const std::filesystem::path& lessons, const std::filesystem::path& programs) {
  const std::vector<part_of_course> numbers = parts_of(lessons.parent_path());
  std::vector<course_part> course;
  for (const part_of_course& part : numbers) course.push_back({.number = part.number, .title = part.title});
  course.push_back({.title = numbers.empty() ? "Lessons" : "Other lessons"});
  std::error_code unreadable;  // no folder: no lessons
  for (const auto& folder : std::filesystem::directory_iterator(lessons, unreadable)) {
    if (!std::filesystem::exists(folder.path() / "lesson.cpp")) continue;
    std::optional<catalogue_entry> entry = entry_of_folder(folder.path().filename().string());
    if (!entry) continue;
    if (const std::string title = title_in(folder.path() / "lesson.cpp"); !title.empty()) entry->title = title;
    entry->built = std::filesystem::exists(programs / folder.path().filename());
    entry->exercises = exercises_in(folder.path(), *entry);
    const auto part = std::ranges::find_if(
        numbers, [&](const part_of_course& p) { return p.first <= entry->number && entry->number <= p.last; });
    course[static_cast<std::size_t>(part - numbers.begin())].lessons.push_back(std::move(*entry));
  }
  std::erase_if(course, [](const course_part& part) { return part.lessons.empty(); });
  for (course_part& part : course) std::ranges::sort(part.lessons, {}, &catalogue_entry::program);
  return course;
}

const catalogue_entry& find_lesson(const std::vector<course_part>& course, std::string_view text) {
  std::vector<const catalogue_entry*> meant;
  for (const course_part& part : course)
    for (const catalogue_entry& entry : part.lessons)
      if (means_lesson(text, entry.number, entry.name)) meant.push_back(&entry);
  const std::string asked = fmt::format("lesson '{}'", text);
  if (meant.empty()) throw gs::error(asked, "there is none of that number or name", numbers_of(course));
  if (meant.size() > 1)
    throw gs::error(asked, fmt::format("{} and {} are both meant", meant[0]->program(), meant[1]->program()),
                    "give the full name");
  return *meant[0];
}

}  // namespace workbook
