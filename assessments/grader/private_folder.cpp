#include "assessments/grader/private_folder.h"

#include <cerrno>
#include <cstdlib>
#include <mutex>
#include <set>
#include <string>
#include <system_error>

#include "runtime/core/error.h"

namespace grader {

namespace {

struct folders_in_use {
  std::mutex mutex;
  std::set<std::filesystem::path> paths;
};
folders_in_use& in_use() {
  static auto* all = new folders_in_use;  // used until the very end of the program
  return *all;
}

// A folder that stays behind is better than a grader that stops.
void remove_folder(const std::filesystem::path& folder) {
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
}

}  // namespace

private_folder::private_folder() {
  std::error_code none;
  const std::filesystem::path temporary = std::filesystem::temp_directory_path(none);
  std::string name = ((none ? "/tmp" : temporary) / "gridstride-XXXXXX").string();
  if (!mkdtemp(name.data()))
    throw gs::machine_error("make a folder " + name, std::system_category().message(errno),
                            "make room there, or set TMPDIR to a folder that can be written");
  path_ = name;
  const std::scoped_lock lock(in_use().mutex);
  in_use().paths.insert(path_);
}

private_folder::~private_folder() {
  remove_folder(path_);
  const std::scoped_lock lock(in_use().mutex);
  in_use().paths.erase(path_);
}

void private_folder::remove_all() {
  const std::scoped_lock lock(in_use().mutex);
  for (const std::filesystem::path& path : in_use().paths) remove_folder(path);
}

}  // namespace grader
