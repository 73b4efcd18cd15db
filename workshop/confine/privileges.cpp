#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

#include "workshop/confine/confine.h"

namespace confine {
namespace {

// Permitted and effective; inheritable too, so that one can be made ambient.
void set_capabilities(std::uint64_t capabilities) {
  __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  __user_cap_data_struct parts[2];
  for (unsigned k = 0; k < 2; ++k)
    parts[k].effective = parts[k].permitted = parts[k].inheritable =
        static_cast<std::uint32_t>(capabilities >> (32 * k));
  if (syscall(SYS_capset, &header, parts) != 0) fail("give up capabilities");
}

// A capability can be made inheritable only while it is in the bounding set. A failure shows later, if the capability
// is needed at all.
void let_inherit(std::uint64_t capability) {
  __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  __user_cap_data_struct parts[2];
  if (syscall(SYS_capget, &header, parts) != 0) fail("read the capabilities");
  parts[0].inheritable |= static_cast<std::uint32_t>(capability);
  syscall(SYS_capset, &header, parts);
}

// A path that doesn't exist needs no permission.
bool can_read(const std::string& path) {
  return faccessat(AT_FDCWD, path.c_str(), R_OK, AT_EACCESS) == 0 || errno == ENOENT;
}

void become_user(const options& o) {
  // The user's numbers change first, while the right to change them is still there.
  if (prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) != 0) fail("become another user");
  if (setgroups(0, nullptr) != 0 || setresgid(o.user, o.user, o.user) != 0 || setresuid(o.user, o.user, o.user) != 0)
    fail("become user " + std::to_string(o.user));
}

}  // namespace

void drop_privileges(const options& o) {
  constexpr std::uint64_t read_anything = std::uint64_t{1} << CAP_DAC_READ_SEARCH;
  if (o.drop_root) let_inherit(read_anything);
  for (int capability = 0; prctl(PR_CAPBSET_READ, capability, 0, 0, 0) >= 0; ++capability)
    prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);  // refused without privileges: then there is nothing to drop
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  if (!o.drop_root) return set_capabilities(0);
  become_user(o);
  // The user's own rights are tried: changing the user has emptied the effective capabilities, not the permitted ones.
  const bool way_is_open = o.new_root || std::ranges::all_of(o.readable, can_read);
  if (way_is_open) return set_capabilities(0);
  set_capabilities(read_anything);
  if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_DAC_READ_SEARCH, 0, 0) != 0) fail("keep the right to read");
}

}  // namespace confine
