#include "workbook/exercise/progress.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <ctime>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>

#include "runtime/core/error.h"
#include "workbook/exercise/text_lines.h"

namespace workbook {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view first_line = "# number, name, state (started, skipped or passed), since when, hints taken";

std::optional<exercise_state> state_named(const std::string& word) {
  for (const exercise_state s : {exercise_state::started, exercise_state::skipped, exercise_state::passed})
    if (word == to_string(s)) return s;
  return {};
}

std::optional<exercise_progress> exercise_of(std::string_view line) {
  std::istringstream words{std::string(line)};
  exercise_progress e;
  std::string state;
  if (!(words >> e.number >> e.name >> state) || e.number < 0) return {};
  const auto known = state_named(state);
  if (!known) return {};
  e.state = *known;
  words >> e.date >> e.hints;  // either may be missing where somebody has written the line
  return e;
}

void merge(exercise_progress& into, const exercise_progress& from) {
  const unsigned hints = std::max(into.hints, from.hints);
  if (from.state > into.state || (from.state == into.state && from.date < into.date)) into = from;
  into.hints = hints;
}

}  // namespace

std::string_view to_string(exercise_state s) {
  constexpr std::array names = {"untouched", "started", "skipped", "passed"};
  return names.at(static_cast<std::size_t>(s));
}

progress progress::read(std::string_view text) {
  progress p;
  for (const std::string_view line : lines_of(text)) {
    if (const auto e = exercise_of(line))
      merge(p.exercises_.try_emplace(e->number, *e).first->second, *e);
    else if (!line.empty() && line != first_line)
      p.others_.emplace_back(line);
  }
  return p;
}

std::string progress::to_text() const {
  std::string text = fmt::format("{}\n", first_line);
  for (const auto& [number, e] : exercises_)
    text += fmt::format("{:02} {} {} {} {}\n", number, e.name, to_string(e.state), e.date, e.hints);
  for (const std::string& line : others_) text += line + "\n";
  return text;
}

exercise_progress progress::of(int number) const {
  const auto found = exercises_.find(number);
  return found == exercises_.end() ? exercise_progress{.number = number} : found->second;
}

void progress::advance(int number, const std::string& name, exercise_state s, const std::string& date) {
  exercise_progress& e = exercises_.try_emplace(number, exercise_progress{.number = number}).first->second;
  e.name = name;
  if (s <= e.state) return;
  e.state = s;
  e.date = date;
}

void progress::took_hints(int number, unsigned hints) {
  const auto found = exercises_.find(number);
  if (found == exercises_.end())
    throw gs::error(fmt::format("hints of exercise {:02}", number), "it isn't begun", "begin it first");
  if (found->second.state != exercise_state::passed) found->second.hints = std::max(found->second.hints, hints);
}

void progress::restart(int number, const std::string& name, const std::string& date) {
  exercises_[number] = {.number = number, .name = name, .state = exercise_state::started, .date = date};
}

progress read_progress(const fs::path& file) {
  std::error_code none;
  if (!fs::exists(file, none)) return {};
  const auto refuse = [&] {
    throw gs::error("reading your progress, " + file.string(), "it can't be read", "give yourself the right to");
  };
  std::ifstream in(file, std::ios::binary);
  if (!in || !fs::is_regular_file(file, none)) refuse();
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in) refuse();
  return progress::read(text);
}

void write_progress(const fs::path& file, const progress& p) {
  std::error_code problem;
  fs::create_directories(file.parent_path(), problem);
  const fs::path draft = fmt::format("{}.{}", file.string(), getpid());
  const bool written = !problem && (std::ofstream(draft, std::ios::binary) << p.to_text()).flush().good();
  if (written) fs::rename(draft, file, problem);
  if (written && !problem) return;
  std::error_code ignored;
  fs::remove(draft, ignored);
  throw gs::error("keeping your progress in " + file.string(), problem ? problem.message() : "it can't be written",
                  "make room there, or set GRIDSTRIDE_MY to a folder that can be written");
}

std::string today() { return fmt::format("{:%Y-%m-%d}", fmt::localtime(std::time(nullptr))); }

}  // namespace workbook
