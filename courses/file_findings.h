#pragma once
// What a course's files alone tell about it, before anything is built: what is missing, and what doesn't fit together.

#include <filesystem>
#include <vector>

#include "courses/finding.h"
#include "workbook/catalogue.h"

namespace courses {

/// About the course as a whole: two lessons with the same number, a folder without lessons.
std::vector<finding> catalogue_findings(const std::filesystem::path& course,
                                        const std::vector<workbook::course_part>& lessons);

/// About a lesson: its text, the text's heading, command and pictures, and the program's title.
std::vector<finding> lesson_file_findings(const std::filesystem::path& course, const workbook::catalogue_entry& lesson);

/// About an exercise: its files, the starter that follows from the solution, the hints, and wrong solutions that each
/// say what rejects them.
std::vector<finding> exercise_file_findings(const std::filesystem::path& course,
                                            const workbook::catalogue_exercise& exercise);

/// About an assessment, given by its folder's name: its files, task.json, text, and right and wrong solutions.
std::vector<finding> assessment_file_findings(const std::filesystem::path& course, const std::string& folder);

/// All of them.
std::vector<finding> file_findings(const std::filesystem::path& course);

/// The assessments' folders, by name: those in assessments/ with a task.json or a task.h.
std::vector<std::string> assessment_folders(const std::filesystem::path& course);

/// What sources may be in beside C++, as solutions of assessments are.
enum class also_in { none, cuda };

/// The sources in a folder, by name; none if there is no such folder.
std::vector<std::filesystem::path> sources_in(const std::filesystem::path& folder, also_in language = also_in::none);

/// The #include lines of a source.
std::string includes_of(const std::string& source);

/// The folder of an exercise's wrong solutions.
std::filesystem::path wrong_solutions_of(const std::filesystem::path& course,
                                         const workbook::catalogue_exercise& exercise);

/// REASON in a wrong solution's first line, "// expect: REASON", which says what rejects it; empty if there is none.
std::string expected_reason(const std::filesystem::path& wrong_solution);

}  // namespace courses
