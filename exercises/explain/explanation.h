#pragma once
// explanation: what a learner is told whose lesson doesn't build, as `check` tells it of an exercise.

#include <filesystem>
#include <string>

namespace exercises {

/// What the build (Ninja, and the compiler within it) has said of a lesson's file: the advice first, then the messages,
/// shortened as learner_messages does. Empty if none of the errors is about that file, nor the linker's.
std::string explained_errors(const std::string& build_output, const std::filesystem::path& lesson);

}  // namespace exercises
