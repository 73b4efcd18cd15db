#include "workshop/private_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <system_error>

#include "runtime/core/error.h"
#include "workshop/sandbox.h"
#include "workshop/sandbox_users.h"

namespace workshop {

namespace {

// No other program's folders are called so.
constexpr std::string_view prefix = "gridstride-work-";

struct folders_in_use {
  std::mutex mutex;
  std::set<std::filesystem::path> paths;
  std::set<std::filesystem::path> tidied;  // parents already searched for abandoned folders
};
folders_in_use& in_use() {
  static auto* instance = new folders_in_use;  // never destroyed: used until the program's very end
  return *instance;
}

// Leaving a folder behind is better than failing.
void remove_folder(const std::filesystem::path& folder) {
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
}

gs::detail::descriptor open_folder(const std::filesystem::path& folder) {
  return gs::detail::descriptor(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

// This user's own; or, as root, one that a sandbox's user owned when the program was killed.
bool is_ours(const struct stat& folder) {
  const bool is_a_sandbox_users = first_sandbox_user <= folder.st_uid && folder.st_uid <= last_sandbox_user;
  return folder.st_uid == geteuid() || (is_a_sandbox_users && can_become_others());
}

// A killed owner leaves its folder, but no lock on it.
void remove_left_behind(const std::filesystem::path& temporary) {
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(temporary, none)) {
    if (!entry.path().filename().string().starts_with(prefix)) continue;
    const gs::detail::descriptor folder = open_folder(entry.path());
    struct stat status{};
    if (!folder.open() || fstat(folder.number(), &status) != 0 || !is_ours(status)) continue;
    if (flock(folder.number(), LOCK_EX | LOCK_NB) == 0) remove_folder(entry.path());
  }
}

// Another program that tidies up may have locked and removed it before its owner could lock it.
bool was_removed(const gs::detail::descriptor& folder) {
  struct stat status{};
  return fstat(folder.number(), &status) == 0 && status.st_nlink == 0;
}

}  // namespace

private_folder::private_folder() {
  std::error_code none;
  const std::filesystem::path temporary = std::filesystem::temp_directory_path(none);
  const std::filesystem::path parent = none ? "/tmp" : temporary;
  const std::scoped_lock lock(in_use().mutex);
  if (in_use().tidied.insert(parent).second) remove_left_behind(parent);
  do {
    std::string name = (parent / prefix).string() + "XXXXXX";
    if (mkdtemp(name.data())) lock_ = open_folder(name);
    if (!lock_.open())
      throw gs::machine_error("make a folder " + name, std::system_category().message(errno),
                              "make room there, or set TMPDIR to a folder that can be written");
    flock(lock_.number(), LOCK_EX);  // fails on a file system without locks, where nothing is tidied up either
    path_ = name;
  } while (was_removed(lock_));
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

}  // namespace workshop
