#pragma once
// Running a program as another user than root, for limits that don't hold for root.

#include <unistd.h>

#include <cstdlib>
#include <string>

namespace gridstride_test {

/// The prefix of `program` in a shell's command that makes it run as the user with that number. If the program lies
/// below a folder that only root may enter, such as /root, the user may look there as well. Empty if this isn't root,
/// or that user can't run it here.
inline std::string as_another_user(unsigned number, const std::string& program) {
  if (geteuid() != 0) return "";
  const std::string id = std::to_string(number);
  for (const std::string capability : {"", "dac_read_search", "dac_override"}) {
    std::string command = "setpriv --reuid " + id + " --regid " + id + " --clear-groups";
    if (!capability.empty()) command += " --inh-caps +" + capability + " --ambient-caps +" + capability;
    if (std::system((command + " '" + program + "' --help >/dev/null 2>&1 </dev/null").c_str()) == 0) return command;
  }
  return "";
}

}  // namespace gridstride_test
