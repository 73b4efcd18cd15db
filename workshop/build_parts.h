#pragma once
// build_parts: what the build provides for compiling and running somebody's program, and where it is.

#include <filesystem>
#include <string>
#include <vector>

namespace workshop {

enum class flavour {
  plain,
  checked,  ///< every access of a kernel is observed
  cuda,     ///< kernels compiled for GPUs, by nvcc
};
std::string to_string(flavour f);

/// The build folder of a flavour: this program's own, the checked preset's, or the cuda preset's. Of what is installed
/// it is a folder with the same parts of a build, below GRIDSTRIDE_INSTALLED.
std::filesystem::path build_folder(flavour f);

/// The file, if it exists. Otherwise throws gs::machine_error, which advises to build the preset's `target`.
std::filesystem::path built(const std::filesystem::path& file, const std::string& asked, flavour f,
                            const std::string& target);
/// gridstride-confine, which every sandboxed program starts as. Throws as built() does.
std::filesystem::path confine_program();
/// The commands by which gdb stops where a thread of a kernel begins.
std::filesystem::path stepping_script();

/// How somebody's source file is compiled, as written by cmake/compilation.cmake.
struct compilation_parts {
  workshop::flavour flavour = workshop::flavour::plain;
  std::string compiler, linker;
  std::vector<std::string> flags;               ///< compiler flags for a source file
  std::vector<std::filesystem::path> headers;   ///< included first; g++'s first one is precompiled
  std::vector<std::string> link;                ///< linker arguments after the source's own object
  std::vector<std::filesystem::path> readable;  ///< files and folders that compiler and linker read
};
/// Reads such a description. `asked` begins the errors: gs::machine_error if that flavour isn't built (the preset's
/// `target` builds it), or if the description is malformed.
compilation_parts read_parts(const std::filesystem::path& description, const std::string& asked, flavour f,
                             const std::string& target);
}  // namespace workshop
