#pragma once
// A course to begin with: a lesson with its exercise, and an assessment, which run, check and grade.

#include <filesystem>

namespace courses {

/// Copies courses/template of the checkout to `folder`, whose name becomes the course's. Throws gs::error if `folder`
/// exists and isn't empty, its name isn't a valid course name, or it can't be written.
void write_new_course(const std::filesystem::path& folder);

}  // namespace courses
