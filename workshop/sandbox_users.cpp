#include "workshop/sandbox_users.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <map>
#include <mutex>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "runtime/core/error.h"
#include "runtime/host/descriptor.h"
#include "workshop/sandbox.h"

namespace workshop {
namespace {

// Root's alone: whoever could open the files in it could lock them.
gs::detail::descriptor folder_of_locks() {
  std::string found;
  for (const char* path : {"/run/gridstride-users", "/tmp/gridstride-users"}) {
    if (mkdir(path, 0700) != 0 && errno != EEXIST) {
      found = std::string(path) + ": " + std::system_category().message(errno);
      continue;
    }
    gs::detail::descriptor folder(open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    struct stat what{};
    if (folder.open() && fstat(folder.number(), &what) == 0 && what.st_uid == 0 && (what.st_mode & 077) == 0)
      return folder;
    found = std::string(path) + ": it isn't root's alone";
  }
  throw gs::machine_error("take users for submissions to run as", found, "make /run a folder that root can write to");
}

// A user is taken by a lock on the file of its number, which ends with the process that has it.
class own_users {
 public:
  unsigned of(unsigned slot) {
    const std::scoped_lock alone(mutex_);
    if (const auto known = users_.find(slot); known != users_.end()) return known->second;
    while (next_ <= last_sandbox_user) {
      const unsigned user = next_++;
      if (take(user)) return users_[slot] = user;
    }
    throw gs::machine_error(
        "take a user for a submission to run as",
        "all from " + std::to_string(first_sandbox_user) + " to " + std::to_string(last_sandbox_user) + " are taken",
        "end other graders");
  }

 private:
  bool take(unsigned user) {
    gs::detail::descriptor file(
        openat(folder_.number(), std::to_string(user).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    if (!file.open())
      throw gs::machine_error("take a user for a submission to run as", std::system_category().message(errno),
                              "make room in /run");
    if (flock(file.number(), LOCK_EX | LOCK_NB) != 0) return false;
    locks_.push_back(std::move(file));
    return true;
  }

  std::mutex mutex_;
  gs::detail::descriptor folder_ = folder_of_locks();
  unsigned next_ = first_sandbox_user;
  std::map<unsigned, unsigned> users_;  // by slot
  std::vector<gs::detail::descriptor> locks_;
};

}  // namespace

unsigned sandbox_user(unsigned slot) {
  static auto* all = new own_users;  // until the very end of the program
  return all->of(slot);
}

}  // namespace workshop
