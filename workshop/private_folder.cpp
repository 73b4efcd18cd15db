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
  std::set<std::filesystem::path> tidied;  // where folders were left behind, perhaps
};
folders_in_use& in_use() {
  static auto* all = new folders_in_use;  // used until the very end of the program
  return *all;
}

// A folder that stays behind is better than a program that stops.
void remove_folder(const std::filesystem::path& folder) {
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
}

gs::detail::descriptor open_folder(const std::filesystem::path& folder) {
  return gs::detail::descriptor(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

// This user's own, or, of root's, one that a compiler's user had when its owner was killed.
bool is_ours(const struct stat& folder) {
  const bool is_a_sandbox_users = first_sandbox_user <= folder.st_uid && folder.st_uid <= last_sandbox_user;
  return folder.st_uid == geteuid() || (is_a_sandbox_users && can_become_others());
}

// Owners that were killed have left their folders, and no lock on them.
void remove_left_behind(const std::filesystem::path& temporary) {
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(temporary, none)) {
    if (!entry.path().filename().string().starts_with(prefix)) continue;
    const gs::detail::descriptor folder = open_folder(entry.path());
    struct stat what{};
    if (!folder.open() || fstat(folder.number(), &what) != 0 || !is_ours(what)) continue;
    if (flock(folder.number(), LOCK_EX | LOCK_NB) == 0) remove_folder(entry.path());
  }
}

// Somebody who tidies up may have taken it before its owner could.
bool was_removed(const gs::detail::descriptor& folder) {
  struct stat what{};
  return fstat(folder.number(), &what) == 0 && what.st_nlink == 0;
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
    flock(lock_.number(), LOCK_EX);  // a file system without locks: then nobody tidies up
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
