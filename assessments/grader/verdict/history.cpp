#include "assessments/grader/verdict/history.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <sstream>

#include "assessments/grader/tasks/json_object.h"
#include "runtime/core/error.h"
#include "runtime/core/text_file.h"

namespace grader {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t largest_history = std::uint64_t{16} << 20;  // bytes: a hundred thousand attempts

std::string line_of(const verdict& v) {
  const nlohmann::ordered_json line = {{"task", v.task_id},  {"version", v.task_version}, {"graded", v.graded},
                                       {"points", v.points}, {"possible", v.possible},    {"passed", v.passed}};
  return line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

attempt read_attempt(const std::string& line) {
  json_object from(line, "a line of the history");
  return {.task_id = from.text("task"),
          .task_version = static_cast<unsigned>(from.count("version")),
          .graded = from.any_text("graded"),
          .points = from.number("points"),
          .possible = from.number("possible"),
          .passed = from.truth("passed")};
}

}  // namespace

fs::path history_file(const fs::path& folder) { return folder / "history.jsonl"; }

// Each line begins with its line break, so that one that was cut off spoils no other. One write is enough for it.
void add_to_history(const verdict& v, const fs::path& folder) {
  const fs::path file = history_file(folder);
  std::error_code said_below;
  fs::create_directories(folder, said_below);
  const std::string line = "\n" + line_of(v);
  const int descriptor = open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  const bool fine = descriptor >= 0 && write(descriptor, line.data(), line.size()) == std::ssize(line);
  const int problem = errno;
  if (descriptor >= 0) close(descriptor);
  if (!fine)
    throw gs::machine_error("noting the grade in " + file.string(), std::strerror(problem),
                            "make the folder writable, or free space on the disk");
}

std::vector<attempt> history_of_grades(const fs::path& folder) {
  const fs::path file = history_file(folder);
  std::error_code none;
  if (!fs::exists(file, none)) return {};
  std::istringstream lines(
      gs::detail::read_text_file(file, "reading the history of grades " + file.string(), largest_history));
  std::vector<attempt> attempts;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) continue;
    try {
      attempts.push_back(read_attempt(line));
    } catch (const gs::error&) {
      // It was cut off: the others count all the same.
    }
  }
  return attempts;
}

}  // namespace grader
