#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "workshop/confine/confine.h"

namespace confine {
namespace {

// As in Linux 6.12's linux/landlock.h; older headers lack the later members and names.
struct ruleset {
  std::uint64_t files = 0, net = 0, scoped = 0;
};
constexpr std::uint64_t bit(unsigned k) { return std::uint64_t{1} << k; }
constexpr std::uint64_t refer = bit(13), truncate_file = bit(14), device_control = bit(15);
constexpr std::uint64_t bind_tcp = bit(0), connect_tcp = bit(1);
constexpr std::uint64_t abstract_sockets = bit(0), signals = bit(1);

// The rights on files that the kernel knows, by Landlock's version there.
std::uint64_t known_rights(long version) {
  std::uint64_t rights = 2 * LANDLOCK_ACCESS_FS_MAKE_SYM - 1;
  if (version >= 2) rights |= refer;
  if (version >= 3) rights |= truncate_file;
  if (version >= 5) rights |= device_control;
  return rights;
}

constexpr std::uint64_t reading =
    LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr std::uint64_t making_devices = LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_BLOCK;

// Grants rights on everything at and below `path`, which needn't exist.
void allow(int rules, const std::string& path, std::uint64_t rights) {
  const int place = open(path.c_str(), O_PATH | O_CLOEXEC);
  if (place < 0) return;
  struct stat status{};
  constexpr std::uint64_t of_a_file = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE |
                                      LANDLOCK_ACCESS_FS_WRITE_FILE | truncate_file | device_control;
  if (fstat(place, &status) == 0 && !S_ISDIR(status.st_mode)) rights &= of_a_file;
  const landlock_path_beneath_attr rule{.allowed_access = rights, .parent_fd = place};
  const long result = syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  const int number = errno;
  close(place);
  errno = number;
  if (result != 0) fail("allow " + path);
}

}  // namespace

void restrict_files(const options& o) {
  const long version = syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (version < 1) fail("use Landlock");
  const std::uint64_t rights = known_rights(version);
  const ruleset handled{.files = rights,
                        .net = version >= 4 ? bind_tcp | connect_tcp : 0,
                        .scoped = version >= 6 ? abstract_sockets | signals : 0};
  const std::size_t bytes = version >= 6   ? sizeof handled
                            : version >= 4 ? 2 * sizeof(std::uint64_t)
                                           : sizeof handled.files;
  const auto rules = static_cast<int>(syscall(SYS_landlock_create_ruleset, &handled, bytes, 0));
  if (rules < 0) fail("make Landlock's rules");
  for (const std::string& path : o.readable) allow(rules, path, reading & rights);
  for (const std::string& path : o.writable) allow(rules, path, rights & ~making_devices);
  for (const std::string& path : o.devices)
    allow(rules, path, rights & (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | device_control));
  // Where programs look up facts about themselves and the processor.
  for (const char* path : {"/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/sys/vm",
                           "/sys/devices/system/cpu", "/sys/devices/system/node"})
    allow(rules, path, reading & rights);
  if (syscall(SYS_landlock_restrict_self, rules, 0) != 0) fail("apply Landlock's rules");
  close(rules);
}

}  // namespace confine
