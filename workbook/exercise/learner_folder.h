#pragma once
// The learner's own folder, which no version control sees and no update touches: their exercises and their progress.

#include <filesystem>
#include <optional>
#include <string>

#include "workbook/catalogue.h"

namespace workbook {

/// GRIDSTRIDE_MY, else my/ of the course.
std::filesystem::path my_folder();

/// The learner's file of an exercise: my/04_ufunc.cpp, of a warm-up my/04w_ufunc.cpp. It may not be there yet.
std::filesystem::path learner_file(const catalogue_exercise& exercise);
std::filesystem::path progress_file();

/// Makes the learner's file from `starter` if there is none; returns whether it did. Throws gs::error if it can't be
/// written.
bool start(const std::filesystem::path& file, const std::string& starter);

/// Replaces the learner's file by `starter`. The file as it was is kept beside it as my/04_ufunc.cpp.1, .2 and so on;
/// returns which, or nothing if there was none. Throws gs::error if it can't be written.
std::optional<std::filesystem::path> reset(const std::filesystem::path& file, const std::string& starter);

}  // namespace workbook
