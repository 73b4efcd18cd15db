#pragma once
// What a course's files show of it, before anything is built: what isn't there, and what doesn't fit together.

#include <filesystem>
#include <vector>

#include "courses/finding.h"
#include "workbook/catalogue.h"

namespace courses {

/// Of the course as such: a number that two lessons have, a folder without lessons.
std::vector<finding> catalogue_findings(const std::filesystem::path& course,
                                        const std::vector<workbook::course_part>& lessons);

/// Of a lesson: its text, the text's heading, its command, the pictures it shows, and the title of its program.
std::vector<finding> lesson_file_findings(const std::filesystem::path& course, const workbook::catalogue_entry& lesson);

/// Of an exercise: its files, the starter that follows from the solution, hints, and wrong solutions that each say what
/// rejects them.
std::vector<finding> exercise_file_findings(const std::filesystem::path& course,
                                            const workbook::catalogue_entry& exercise);

/// Of an assessment, by its folder's name: its files, its task.json, its text, and right and wrong solutions.
std::vector<finding> assessment_file_findings(const std::filesystem::path& course, const std::string& folder);

/// All of them.
std::vector<finding> file_findings(const std::filesystem::path& course);

/// The assessments' folders, by name: those in assessments/ with a task.json or a task.h.
std::vector<std::string> assessment_folders(const std::filesystem::path& course);

/// The C++ sources in a folder, by name; none if there is no such folder.
std::vector<std::filesystem::path> sources_in(const std::filesystem::path& folder);

/// The lines of a source's text that say what it includes.
std::string includes_of(const std::string& source);

/// Where an exercise's wrong solutions are.
std::filesystem::path wrong_solutions_of(const std::filesystem::path& course,
                                         const workbook::catalogue_entry& exercise);

/// What a wrong solution's first line says that rejects it, of "// expect: REASON"; empty if it says nothing.
std::string expected_reason(const std::filesystem::path& wrong_solution);

}  // namespace courses
