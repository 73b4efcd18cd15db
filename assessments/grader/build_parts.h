#pragma once
// build_parts: what the build has made for submissions, and where it is.

#include <filesystem>
#include <string>
#include <vector>

#include "assessments/grader/compile.h"
#include "assessments/grader/task.h"

namespace grader {

/// The build folder of a flavour: this program's own, the checked preset's, or the cuda preset's.
std::filesystem::path build_folder(flavour f);

/// gridstride-runner of a flavour, and the program that confines others. Throw gs::machine_error where they aren't
/// built.
std::filesystem::path runner_program(flavour f);
std::filesystem::path confine_program();

/// How somebody's source file is compiled, as cmake/compilation.cmake has written it down.
struct compilation_parts {
  std::string compiler, linker;
  std::vector<std::string> flags;               ///< of the compiler, for a source file
  std::vector<std::filesystem::path> headers;   ///< that a submission begins with; g++'s first one is precompiled
  std::vector<std::string> link;                ///< of the linker: what comes after a submission's own object
  std::vector<std::filesystem::path> readable;  ///< what the compiler and the linker need to read
};
/// Reads such a description. `asked` begins the errors: gs::machine_error if that flavour isn't built (the preset's
/// `target` would), or the description isn't what it should be.
compilation_parts read_parts(const std::filesystem::path& description, const std::string& asked, flavour f,
                             const std::string& target);
/// Of a task's submissions. Throws as read_parts does.
compilation_parts parts_of(const task& t, flavour f);

/// What a runner of that flavour needs to read: itself and the runtime's libraries.
std::vector<std::filesystem::path> readable_by_runner(flavour f);

}  // namespace grader
