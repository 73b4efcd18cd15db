#include "assessments/grader/private_folder.h"

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>

#include "runtime/core/error.h"

namespace grader {

private_folder::private_folder() {
  std::error_code none;
  const std::filesystem::path temporary = std::filesystem::temp_directory_path(none);
  std::string name = ((none ? "/tmp" : temporary) / "gridstride-XXXXXX").string();
  if (!mkdtemp(name.data()))
    throw gs::machine_error("make a folder " + name, std::system_category().message(errno),
                            "make room there, or set TMPDIR to a folder that can be written");
  path_ = name;
}

private_folder::~private_folder() {
  std::error_code ignored;  // a folder that stays behind is better than a grader that stops
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace grader
