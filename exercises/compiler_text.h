#pragma once
// compiler_text: what g++ and the linker say, shortened to what the learner can act on.

#include <filesystem>
#include <string>

namespace exercises {

/// The first three errors of the messages, each with its lines of source if it is in the learner's file, else with the
/// lines that led there from it. `copy` is the file that was compiled, which is called `shown`. Warnings and notes
/// about other files are left out. Messages without an error (the linker's) are kept, up to 20 lines.
std::string learner_messages(const std::string& messages, const std::filesystem::path& copy, const std::string& shown);

}  // namespace exercises
