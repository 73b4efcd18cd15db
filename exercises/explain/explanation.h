#pragma once
// explanation: explains a lesson that doesn't build, as `check` does for an exercise.

#include <filesystem>
#include <string>

namespace exercises {

/// The build's errors (Ninja's output with the compiler's in it) about a lesson's file: the advice first, then the
/// messages, shortened as learner_messages does. Empty if none of the errors is about that file, nor the linker's.
std::string explained_errors(const std::string& build_output, const std::filesystem::path& lesson);

}  // namespace exercises
