#pragma once
// The history of grades: every grading of a task in full, passed or not, in the order in which they were made.

#include <filesystem>
#include <string>
#include <vector>

#include "assessments/grader/verdict/record.h"
#include "assessments/grader/verdict/verdict.h"

namespace grader {

/// One line of the history.
struct attempt {
  std::string task_id;
  unsigned task_version = 1;
  std::string graded;  ///< when: "2026-11-21T18:48:03Z"
  double points = 0, possible = 0;
  bool passed = false;
};

/// history.jsonl in the record's folder.
std::filesystem::path history_file(const std::filesystem::path& folder = grades_folder());

/// Adds a line; the folder is made if need be. Several graders may do so at once. Throws gs::machine_error if it can't
/// be written: the user did nothing wrong.
void add_to_history(const verdict& v, const std::filesystem::path& folder = grades_folder());

/// What add_to_history() wrote; empty if there is none yet. A line that was cut off, by a full disk or a power cut, is
/// passed over. Throws gs::error if the file can't be read.
std::vector<attempt> history_of_grades(const std::filesystem::path& folder = grades_folder());

}  // namespace grader
