#include "workbook/catalogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>

#include "runtime/core/error.h"

namespace workbook {
namespace {

// A part has the lessons of a range of numbers.
struct part_numbers {
  int first, last;
  course_part part;
};

std::vector<part_numbers> parts_of_course() {
  return {{0, 0, {.title = "Before the course"}},       {1, 12, {.number = 1, .title = "Universal functions"}},
          {13, 20, {.number = 2, .title = "Kernels"}},  {21, 27, {.number = 3, .title = "Memory and two dimensions"}},
          {28, 36, {.number = 4, .title = "Patterns"}}, {37, 45, {.number = 5, .title = "Beyond one array"}}};
}

// The title that a lesson's program gives itself: `.title = "..."` of this_lesson(). Empty if it can't be found.
std::string title_in(const std::filesystem::path& program) {
  std::ifstream file(program);
  const std::string source{std::istreambuf_iterator<char>(file), {}};
  const std::string_view field = ".title = \"";
  const std::size_t title = source.find(field, source.find("this_lesson()"));
  if (title == source.npos) return "";
  const std::size_t begin = title + field.size(), end = source.find('"', begin);
  return end == source.npos ? "" : source.substr(begin, end - begin);
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

std::string numbers_of(const std::vector<course_part>& course) {
  std::string list;
  for (const course_part& part : course)
    for (const catalogue_entry& entry : part.lessons) list += (list.empty() ? "" : ", ") + entry.program();
  return list.empty() ? "no lesson is there yet" : "choose one of " + list;
}

bool is_meant(const catalogue_entry& entry, std::string_view text) {
  if (text == entry.name || text == entry.program()) return true;
  int number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  return read.ec == std::errc{} && read.ptr == text.data() + text.size() && number == entry.number;
}

}  // namespace

std::string catalogue_entry::program() const { return fmt::format("{:02}_{}", number, name); }

std::filesystem::path course_root() {
  const char* root = std::getenv("GRIDSTRIDE_ROOT");
  return root != nullptr && *root != '\0' ? root : GRIDSTRIDE_SOURCE_DIR;
}

std::vector<course_part> read_catalogue(const std::filesystem::path& lessons, const std::filesystem::path& programs) {
  std::vector<part_numbers> parts = parts_of_course();
  course_part others{.title = "Other lessons"};
  std::error_code unreadable;  // no folder: no lessons
  for (const auto& folder : std::filesystem::directory_iterator(lessons, unreadable)) {
    if (!std::filesystem::exists(folder.path() / "lesson.cpp")) continue;
    std::optional<catalogue_entry> entry = entry_of_folder(folder.path().filename().string());
    if (!entry) continue;
    if (const std::string title = title_in(folder.path() / "lesson.cpp"); !title.empty()) entry->title = title;
    entry->built = std::filesystem::exists(programs / folder.path().filename());
    entry->has_exercise = std::filesystem::exists(folder.path() / "checks.cpp");
    const auto part = std::ranges::find_if(
        parts, [&](const part_numbers& p) { return p.first <= entry->number && entry->number <= p.last; });
    (part == parts.end() ? others : part->part).lessons.push_back(std::move(*entry));
  }
  std::vector<course_part> course;
  for (part_numbers& p : parts) course.push_back(std::move(p.part));
  course.push_back(std::move(others));
  std::erase_if(course, [](const course_part& part) { return part.lessons.empty(); });
  for (course_part& part : course) std::ranges::sort(part.lessons, {}, &catalogue_entry::program);
  return course;
}

const catalogue_entry& find_lesson(const std::vector<course_part>& course, std::string_view text) {
  std::vector<const catalogue_entry*> meant;
  for (const course_part& part : course)
    for (const catalogue_entry& entry : part.lessons)
      if (is_meant(entry, text)) meant.push_back(&entry);
  const std::string asked = fmt::format("lesson '{}'", text);
  if (meant.empty()) throw gs::error(asked, "there is none of that number or name", numbers_of(course));
  if (meant.size() > 1)
    throw gs::error(asked, fmt::format("{} and {} are both meant", meant[0]->program(), meant[1]->program()),
                    "give the full name");
  return *meant[0];
}

}  // namespace workbook
