#include "workbook/catalogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <optional>

#include "runtime/core/error.h"

namespace workbook {
namespace {

std::vector<course_part> the_plan() {
  return {{0, "Before the course", {{0, "ripples", "A first look"}}},
          {1,
           "Universal functions",
           {{1, "hypot", "A function, compiled and timed"},
            {2, "monte_carlo_pi", "Pi by throwing darts, on one core and on all"},
            {3, "types", "What the type of a number costs"},
            {4, "ufunc", "One function over arrays of any shape"},
            {5, "too_small", "Four reasons why the device loses"},
            {6, "gaussian_pdf", "Arithmetic worth a device"},
            {7, "device_functions", "Functions that call functions"},
            {8, "zero_suppress", "Pulses out of noise"},
            {9, "device_arrays", "Arrays that stay on the device"},
            {10, "make_pulses", "A pipeline with the fewest copies"},
            {11, "gufunc", "Functions of rows and matrices"},
            {12, "reduce", "Many numbers into one"}}},
          {2,
           "Kernels",
           {{13, "first_kernel", "Threads, blocks, grid"},
            {14, "launch_configuration", "How many threads, in how many blocks"},
            {15, "grid_stride", "Any amount of data with any grid"},
            {16, "asynchrony", "A launch returns before the work is done"},
            {17, "races_and_atomics", "A thousand threads and one counter"},
            {18, "histogram", "Counting without losing count"},
            {19, "debugging", "Three programs, three bugs"},
            {20, "random_numbers", "A stream of numbers for every thread"}}},
          {3,
           "Memory and two dimensions",
           {{21, "grids_2d", "Rows and columns of threads"},
            {22, "coalescing", "Neighbours read neighbours"},
            {23, "shared_memory", "What a block has to itself"},
            {24, "matmul", "A product of matrices, four ways"},
            {25, "transpose", "Rows become columns"},
            {26, "diffusion", "A field that spreads"},
            {27, "fft_mask", "Library and kernel in one pipeline"}}}};
}

// Where the learner completes something, or finds a bug.
constexpr std::array lessons_with_exercise = {2, 3, 4, 7, 8, 10, 11, 12, 13, 15, 17, 18, 19, 20, 21, 23, 24, 25, 26};

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
    for (const catalogue_entry& entry : part.lessons)
      if (entry.state != lesson_state::planned) list += (list.empty() ? "" : ", ") + entry.program();
  return list.empty() ? "no lesson is there yet" : "choose one of " + list;
}

bool is_meant(const catalogue_entry& entry, std::string_view text) {
  if (text == entry.name || text == entry.program()) return true;
  int number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  return read.ec == std::errc{} && read.ptr == text.data() + text.size() && number == entry.number;
}

}  // namespace

std::string_view to_string(lesson_state s) {
  switch (s) {
    case lesson_state::planned:
      return "planned";
    case lesson_state::written:
      return "written";
    case lesson_state::built:
      return "built";
  }
  return "?";
}

std::string catalogue_entry::program() const { return fmt::format("{:02}_{}", number, name); }

std::filesystem::path course_root() {
  const char* root = std::getenv("GRIDSTRIDE_ROOT");
  return root != nullptr && *root != '\0' ? root : GRIDSTRIDE_SOURCE_DIR;
}

std::vector<course_part> read_catalogue(const std::filesystem::path& lessons, const std::filesystem::path& programs) {
  std::vector<course_part> course = the_plan();
  for (course_part& part : course)
    for (catalogue_entry& entry : part.lessons)
      entry.plans_exercise = std::ranges::find(lessons_with_exercise, entry.number) != lessons_with_exercise.end();
  course_part others{.title = "Other lessons"};
  std::error_code unreadable;  // no folder: nothing is there
  for (const auto& folder : std::filesystem::directory_iterator(lessons, unreadable)) {
    if (!std::filesystem::exists(folder.path() / "lesson.cpp")) continue;
    std::optional<catalogue_entry> found = entry_of_folder(folder.path().filename().string());
    if (!found) continue;
    found->state =
        std::filesystem::exists(programs / folder.path().filename()) ? lesson_state::built : lesson_state::written;
    found->has_exercise = std::filesystem::exists(folder.path() / "checks.cpp");
    bool planned = false;
    for (course_part& part : course)
      for (catalogue_entry& entry : part.lessons)
        if (entry.program() == folder.path().filename().string()) {
          entry.state = found->state;
          entry.has_exercise = found->has_exercise;
          planned = true;
        }
    if (!planned) others.lessons.push_back(*found);
  }
  std::sort(others.lessons.begin(), others.lessons.end(),
            [](const auto& a, const auto& b) { return a.program() < b.program(); });
  if (!others.lessons.empty()) course.push_back(std::move(others));
  return course;
}

const catalogue_entry& find_lesson(const std::vector<course_part>& course, std::string_view text) {
  std::vector<const catalogue_entry*> meant;
  for (const course_part& part : course)
    for (const catalogue_entry& entry : part.lessons)
      if (is_meant(entry, text)) meant.push_back(&entry);
  // A folder of one's own may have a planned lesson's number: what is there goes first.
  const auto is_planned = [](const catalogue_entry* e) { return e->state == lesson_state::planned; };
  const bool all_planned = std::all_of(meant.begin(), meant.end(), is_planned);
  if (!all_planned) std::erase_if(meant, is_planned);
  const std::string asked = fmt::format("lesson '{}'", text);
  if (meant.empty()) throw gs::error(asked, "there is none of that number or name", numbers_of(course));
  if (meant.size() > 1)
    throw gs::error(asked, fmt::format("{} and {} are both meant", meant[0]->program(), meant[1]->program()),
                    "give the full name");
  if (all_planned)
    throw gs::error(asked, fmt::format("{} is planned but not written yet", meant[0]->program()), numbers_of(course));
  return *meant[0];
}

}  // namespace workbook
