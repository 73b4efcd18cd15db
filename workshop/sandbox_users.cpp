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

// Accessible to root alone: anybody who could open the files in it could lock them.
gs::detail::descriptor folder_of_locks() {
  std::string found;
  for (const char* path : {"/run/gridstride-users", "/tmp/gridstride-users"}) {
    if (mkdir(path, 0700) != 0 && errno != EEXIST) {
      found = std::string(path) + ": " + std::system_category().message(errno);
      continue;
    }
    gs::detail::descriptor folder(open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    struct stat status{};
    if (folder.open() && fstat(folder.number(), &status) == 0 && status.st_uid == 0 && (status.st_mode & 077) == 0)
      return folder;
    found = std::string(path) + ": others than root can use it";
  }
  throw gs::machine_error("reserve users for submissions to run as", found,
                          "make /run a folder that root can write to");
}

// A user is reserved by a lock on the file named by its number; the lock ends with the process.
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
        "reserve a user for a submission to run as",
        "all from " + std::to_string(first_sandbox_user) + " to " + std::to_string(last_sandbox_user) + " are taken",
        "end other graders");
  }

 private:
  bool take(unsigned user) {
    gs::detail::descriptor file(
        openat(folder_.number(), std::to_string(user).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    if (!file.open())
      throw gs::machine_error("reserve a user for a submission to run as", std::system_category().message(errno),
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
  static auto* users = new own_users;  // never destroyed: used until the program's very end
  return users->of(slot);
}

}  // namespace workshop
