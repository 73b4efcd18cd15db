#pragma once
// build_parts: what the build has made for programs of others, and where it is.

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

/// The file, if it is there. Throws gs::machine_error if it isn't: the preset's `target` would build it.
std::filesystem::path built(const std::filesystem::path& file, const std::string& asked, flavour f,
                            const std::string& target);
/// The program that confines others. Throws as built() does.
std::filesystem::path confine_program();
/// The commands by which gdb stops where a thread of a kernel begins.
std::filesystem::path stepping_script();

/// How somebody's source file is compiled, as cmake/compilation.cmake has written it down.
struct compilation_parts {
  workshop::flavour flavour = workshop::flavour::plain;
  std::string compiler, linker;
  std::vector<std::string> flags;               ///< of the compiler, for a source file
  std::vector<std::filesystem::path> headers;   ///< that it begins with; g++'s first one is precompiled
  std::vector<std::string> link;                ///< of the linker: what comes after its own object
  std::vector<std::filesystem::path> readable;  ///< what the compiler and the linker need to read
};
/// Reads such a description. `asked` begins the errors: gs::machine_error if that flavour isn't built (the preset's
/// `target` would), or the description isn't what it should be.
compilation_parts read_parts(const std::filesystem::path& description, const std::string& asked, flavour f,
                             const std::string& target);
}  // namespace workshop
