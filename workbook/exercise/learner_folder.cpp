#include "workbook/exercise/learner_folder.h"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>

#include "runtime/core/error.h"

namespace workbook {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& file, const std::string& found) {
  throw gs::error("writing " + file.string(), found,
                  "make room there, or set GRIDSTRIDE_MY to a folder that can be written");
}

void write(const fs::path& file, const std::string& text) {
  std::error_code problem;
  fs::create_directories(file.parent_path(), problem);
  if (problem) refuse(file, problem.message());
  if (!(std::ofstream(file, std::ios::binary) << text).flush()) refuse(file, "it can't be written");
}

}  // namespace

fs::path my_folder() {
  if (const char* folder = std::getenv("GRIDSTRIDE_MY"); folder != nullptr && *folder != '\0') return folder;
  return course_root() / "my";
}

fs::path learner_file(const catalogue_exercise& exercise) { return my_folder() / (exercise.label() + ".cpp"); }
fs::path progress_file() { return my_folder() / "progress.txt"; }

bool start(const fs::path& file, const std::string& starter) {
  std::error_code none;
  if (fs::exists(file, none)) return false;
  write(file, starter);
  return true;
}

std::optional<fs::path> reset(const fs::path& file, const std::string& starter) {
  std::error_code problem;
  std::optional<fs::path> backup;
  if (fs::exists(file, problem)) {
    int number = 1;
    do backup = fmt::format("{}.{}", file.string(), number++);
    while (fs::exists(*backup, problem));
    fs::rename(file, *backup, problem);
    if (problem) refuse(*backup, problem.message());
  }
  write(file, starter);
  return backup;
}

}  // namespace workbook
