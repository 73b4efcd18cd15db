#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include "workshop/confine/confine.h"

namespace confine {
namespace {

void write_text(const std::string& path, const std::string& text) {
  const int file = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  const bool written = file >= 0 && write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  if (file >= 0) close(file);
  if (!written) fail("write " + path);
}

}  // namespace

void enter_own_users() {
  const std::string user = std::to_string(geteuid()), group = std::to_string(getegid());
  if (unshare(CLONE_NEWUSER) != 0) fail("make a user namespace");
  write_text("/proc/self/setgroups", "deny");
  write_text("/proc/self/uid_map", user + " " + user + " 1");
  write_text("/proc/self/gid_map", group + " " + group + " 1");
}

}  // namespace confine
