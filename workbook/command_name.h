#pragma once
// command_name: how the user calls the launcher and writes a file, for sentences that say what to type.

#include <filesystem>
#include <string>

namespace workbook {

/// GRIDSTRIDE_COMMAND, as the installed command says, else "./gridstride".
std::string command_name();

/// The same for a command about the course: "./gridstride --course /home/ann/waves" where that is another than ours
/// (GRIDSTRIDE_COURSE), written as a shell reads it.
std::string course_command_name();

/// A file as it is typed in this folder, if it lies below, else with its whole path.
std::string path_from_here(const std::filesystem::path& path);

/// A word of a command as a shell reads it: "'my waves'" for my waves.
std::string for_shell(const std::string& word);

}  // namespace workbook
