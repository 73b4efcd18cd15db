#pragma once
// A course to begin with: a lesson with its exercise, and an assessment, which run, check and grade.

#include <filesystem>

namespace courses {

/// Copies courses/template of the checkout to `folder`, whose name becomes the course's. Throws gs::error if `folder`
/// is there and isn't empty, its name can't be a course's, or it can't be written.
void write_new_course(const std::filesystem::path& folder);

}  // namespace courses
