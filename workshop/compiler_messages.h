#pragma once
// compiler_messages: what g++ and the linker say, in the learner's own terms.

#include <filesystem>
#include <string>

#include "runtime/instruments/results/finding.h"

namespace workshop {

/// The messages with the folder's path and the project's taken out, so that the learner's file is called by its own
/// name; at most 100 lines.
std::string shortened(const std::string& messages, const std::filesystem::path& folder);

/// Where the first error is, in the file called `name`: where it is reported, or the line that led there if that is in
/// another file. Line 0 if no message names the file.
gs::source_place first_error(const std::string& messages, const std::string& name);
/// What the first error says: the text after "error: ".
std::string first_error_text(const std::string& messages);

}  // namespace workshop
