#pragma once
// compiler_messages: g++'s and the linker's messages, in terms of the learner's own file.

#include <filesystem>
#include <string>

#include "runtime/instruments/results/finding.h"

namespace workshop {

/// The messages without the paths of the folder and the project, so that the learner's file goes by its own name, and
/// without the inline namespaces of gs; at most 100 lines.
std::string shortened(const std::string& messages, const std::filesystem::path& folder);

/// Where the first error is, in the file called `name`: where it is reported, or the line that led there if that is in
/// another file. Line 0 if no message names the file.
gs::source_place first_error(const std::string& messages, const std::string& name);
/// What the first error says: the text after "error: ".
std::string first_error_text(const std::string& messages);

}  // namespace workshop
