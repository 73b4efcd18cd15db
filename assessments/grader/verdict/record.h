#pragma once
// The record of grades: the best passed verdict of each task, in the learner's own folder.

#include <filesystem>
#include <map>
#include <string>

#include "assessments/grader/verdict/verdict.h"

namespace grader {

/// The record's folder: grades/ in the learner's own folder (workbook::my_folder), a file for each task: A1.json.
std::filesystem::path grades_folder();

/// Keeps a passed verdict if it is better than what the record has: of a newer version of the task, else of more
/// points, else of the same points but isolated where the other wasn't. Returns whether it was kept. Throws gs::error
/// if it can't be written.
bool keep(const verdict& v, const std::filesystem::path& folder = grades_folder());

/// The same for the grade command, but any failure throws gs::machine_error: what can't be kept was
/// passed all the same, and the user did nothing wrong.
void keep_grade(const verdict& v, const std::filesystem::path& folder = grades_folder());

/// The verdicts in a folder's A1.json, A2.json, ..., by task; what isn't passed is left out. Empty if there is no such
/// folder. Throws gs::error for a file that is no verdict, or that of another task than its name says.
std::map<std::string, verdict> kept_grades(const std::filesystem::path& folder = grades_folder());

}  // namespace grader
