#include "workbook/exercise/progress.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <ctime>
#include <fstream>
#include <optional>

#include "runtime/core/error.h"
#include "runtime/core/text_file.h"
#include "workbook/exercise/text_lines.h"

namespace workbook {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t most_bytes = 1 << 20;
constexpr std::size_t longest_line = 1000, longest_name = 100;
constexpr unsigned most_hints = 1000;
constexpr std::string_view no_date = "-";

constexpr std::string_view first_line = "# number, name, state (started, skipped or passed), since when, hints taken";

std::optional<exercise_state> state_named(std::string_view word) {
  for (const exercise_state s : {exercise_state::started, exercise_state::skipped, exercise_state::passed})
    if (word == to_string(s)) return s;
  return {};
}

// 0 where it isn't written, or is no number of hints.
unsigned hints_in(std::string_view word) {
  unsigned number = 0;
  const auto [end, error] = std::from_chars(word.begin(), word.end(), number);
  return error != std::errc() || end != word.end() || number > most_hints ? 0 : number;
}

bool is_name(std::string_view word) {
  return word.size() <= longest_name && std::ranges::all_of(word, [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
         });
}

bool is_date(std::string_view word) {  // 2026-03-01
  for (std::size_t k = 0; k < word.size(); ++k)
    if (k == 4 || k == 7 ? word[k] != '-' : word[k] < '0' || word[k] > '9') return false;
  return word.size() == 10;
}

// Takes the first word off a line; empty if there is none.
std::string_view take_word(std::string_view& line) {
  constexpr std::string_view blanks = " \t\v\f\r";
  line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
  const std::string_view word = line.substr(0, line.find_first_of(blanks));
  line.remove_prefix(word.size());
  return word;
}

std::optional<exercise_progress> exercise_of(std::string_view line) {
  if (line.size() > longest_line) return {};
  const auto id = read_exercise_id(take_word(line));
  const std::string_view name = take_word(line);
  const auto state = state_named(take_word(line));
  if (!id || name.empty() || !is_name(name) || !state) return {};
  exercise_progress e{.id = *id, .name = std::string(name), .state = *state};
  // Either may be missing, or be something else, where somebody has written the line.
  std::string_view word = take_word(line);
  if (is_date(word)) {
    e.date = word;
    word = take_word(line);
  } else if (word == no_date) {
    word = take_word(line);
  }
  e.hints = hints_in(word);
  return e;
}

void merge(exercise_progress& into, const exercise_progress& from) {
  const unsigned hints = std::max(into.hints, from.hints);
  const bool earlier = !from.date.empty() && (into.date.empty() || from.date < into.date);
  if (from.state > into.state || (from.state == into.state && earlier)) into = from;
  into.hints = hints;
}

}  // namespace

std::string_view to_string(exercise_state s) {
  constexpr std::array names = {"untouched", "started", "skipped", "passed"};
  return names.at(static_cast<std::size_t>(s));
}

progress progress::read(std::string_view text) {
  progress p;
  for (std::string_view line : lines_of(text)) {
    while (line.ends_with('\r')) line.remove_suffix(1);
    if (const auto e = exercise_of(line))
      merge(p.exercises_.try_emplace(e->id, *e).first->second, *e);
    else if (!line.empty() && line != first_line)
      p.foreign_lines_.emplace_back(line);
  }
  return p;
}

std::string progress::to_text() const {
  std::string text = fmt::format("{}\n", first_line);
  for (const auto& [id, e] : exercises_)
    text += fmt::format("{} {} {} {} {}\n", to_string(id), e.name, to_string(e.state),
                        e.date.empty() ? no_date : e.date, e.hints);
  for (const std::string& line : foreign_lines_) text += line + "\n";
  return text;
}

exercise_progress progress::of(exercise_id id) const {
  const auto found = exercises_.find(id);
  return found == exercises_.end() ? exercise_progress{.id = id} : found->second;
}

void progress::advance(exercise_id id, const std::string& name, exercise_state s, const std::string& date) {
  exercise_progress& e = exercises_.try_emplace(id, exercise_progress{.id = id}).first->second;
  e.name = name;
  if (s <= e.state) return;
  e.state = s;
  e.date = date;
}

void progress::took_hints(exercise_id id, unsigned hints) {
  const auto found = exercises_.find(id);
  if (found == exercises_.end())
    throw gs::error(fmt::format("hints of exercise {}", to_string(id)), "it isn't begun", "begin it first");
  if (found->second.state != exercise_state::passed) found->second.hints = std::max(found->second.hints, hints);
}

void progress::restart(exercise_id id, const std::string& name, const std::string& date) {
  exercises_[id] = {.id = id, .name = name, .state = exercise_state::started, .date = date};
}

progress read_progress(const fs::path& file) {
  std::error_code none;
  if (!fs::exists(file, none)) return {};
  return progress::read(gs::detail::read_text_file(file, "reading your progress, " + file.string(), most_bytes));
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
