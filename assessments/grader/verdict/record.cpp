#include "assessments/grader/verdict/record.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <tuple>

#include "assessments/grader/verdict/verdict_json.h"
#include "runtime/core/error.h"
#include "workbook/exercise/learner_folder.h"
#include "workshop/file_text.h"
#include "workshop/sandbox.h"

namespace grader {

using workshop::isolation, workshop::read_text, workshop::write_text;
namespace {

namespace fs = std::filesystem;

auto rank(const verdict& v) {
  return std::tuple(v.task_version, v.points, v.isolation != to_string(isolation::limits));
}

verdict read_grade(const fs::path& file) {
  const std::string asked = fmt::format("reading the grade {}", file.string()), text = read_text(file, asked);
  verdict v;
  try {
    v = read_verdict(text);
  } catch (const gs::error& e) {
    throw gs::error(asked, fmt::format("it is no verdict ({})", e.found()),
                    "remove the file, and grade the task again");
  }
  if (v.task_id != file.stem())
    throw gs::error(asked, fmt::format("it is the grade of task {}", v.task_id), "give it its own name again");
  return v;
}

// While it exists, other processes that want the same folder wait.
std::shared_ptr<void> lock(const fs::path& folder) {
  const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor >= 0)
    flock(descriptor, LOCK_EX);  // on a file system without locks, a file is still written whole or not at all
  return {nullptr, [descriptor](void*) {
            if (descriptor >= 0) close(descriptor);
          }};
}

}  // namespace

fs::path grades_folder() { return workbook::my_folder() / "grades"; }

bool keep(const verdict& v, const fs::path& folder) {
  if (!v.passed) return false;
  const fs::path file = folder / (v.task_id + ".json");
  std::error_code said_below;
  fs::create_directories(folder, said_below);
  const auto alone = lock(folder);
  if (fs::exists(file, said_below)) {
    try {
      if (rank(read_grade(file)) >= rank(v)) return false;
    } catch (const gs::error&) {
      // The existing file isn't a grade: this one replaces it.
    }
  }
  write_text(file, to_json(v), fmt::format("keeping the grade {}", file.string()));
  return true;
}

void keep_grade(const verdict& v, const fs::path& folder) try { keep(v, folder); } catch (const gs::error& e) {
  throw gs::machine_error(e.asked(), e.found(), e.advice());
}

std::map<std::string, verdict> kept_grades(const fs::path& folder) {
  std::map<std::string, verdict> grades;
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, none)) {
    const std::string id = entry.path().stem();
    if (entry.path().extension() != ".json" || id.starts_with('.')) continue;
    if (verdict v = read_grade(entry.path()); v.passed) grades.emplace(id, std::move(v));
  }
  return grades;
}

}  // namespace grader
