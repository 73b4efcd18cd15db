#pragma once
// program_files: which files a command line means, in "run my/wave.cpp helper.cpp 100 --fast" or "run my/simulation".

#include <filesystem>
#include <string>
#include <vector>

namespace programs {

/// Whether a name ends as C++ sources do: .cpp, .cc, .cxx, .c++ or .C; or .cu, of CUDA; or .c, of C.
bool is_source_name(const std::filesystem::path& file);

struct program_files {
  std::string name;                                         ///< "wave": of the first file, or of the folder
  std::filesystem::path shown;                              ///< the file or folder as it was typed
  std::vector<std::filesystem::path> sources = {};          ///< absolute, as the user names them
  std::vector<std::string> arguments = {};                  ///< the program's own
  std::vector<std::filesystem::path> include_folders = {};  ///< of -I, absolute
  std::vector<std::string> definitions = {};                ///< of -D: NAME or NAME=VALUE
};

/// `words` begin with a folder, whose sources are one program, or with one source or more; all that follows is the
/// program's. "--" ends the sources. Before them may stand what a compiler is told, -I FOLDER and -D NAME[=VALUE], each
/// in one word, too. Errors begin with `command`: "run". Throws gs::error if a file doesn't exist or isn't C++, if a
/// folder has no source, or if an option's value is missing, no folder or no name.
program_files find_program_files(const std::string& command, std::vector<std::string> words);

}  // namespace programs
