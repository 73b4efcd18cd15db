#include <errno.h>
#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <filesystem>

#include "workshop/confine/confine.h"

namespace confine {
namespace {

namespace fs = std::filesystem;

// Both lie in a file system in memory; the old root is reached under the first name until all is in place.
const fs::path old_root = "/old", new_root = "/new";

void mount_or_fail(const char* what, const fs::path& where, const char* type, unsigned long flags,
                   const std::string& data) {
  if (mount(what, where.c_str(), type, flags, data.empty() ? nullptr : data.c_str()) != 0)
    fail("mount " + where.string());
}

void make_place(const fs::path& where, bool is_folder) {
  fs::create_directories(is_folder ? where : where.parent_path());
  if (is_folder || fs::exists(where)) return;  // a file may be named twice
  const int file = open(where.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0444);
  if (file < 0) fail("make " + where.string());
  close(file);
}

// Shows a file or folder of the old root at the same place in the new one.
void show(const fs::path& path, std::uint64_t attributes) {
  const fs::path from = old_root / path.relative_path(), to = new_root / path.relative_path();
  std::error_code none;
  const fs::file_status status = fs::symlink_status(from, none);
  if (!fs::exists(status)) return;
  if (fs::is_symlink(status)) {
    fs::create_directories(to.parent_path());
    fs::create_symlink(fs::read_symlink(from), to);
    return;
  }
  make_place(to, fs::is_directory(status));
  mount_or_fail(from.c_str(), to, nullptr, MS_BIND | MS_REC, "");
  mount_attr wanted{};
  wanted.attr_set = attributes;
  if (syscall(SYS_mount_setattr, AT_FDCWD, to.c_str(), AT_RECURSIVE, &wanted, sizeof wanted) != 0)
    fail("protect " + path.string());
}

void make_read_only(const fs::path& where) {
  mount_attr wanted{};
  wanted.attr_set = MOUNT_ATTR_RDONLY;
  if (syscall(SYS_mount_setattr, AT_FDCWD, where.c_str(), 0, &wanted, sizeof wanted) != 0)
    fail("protect " + where.string());
}

void turn_to(const fs::path& root, const fs::path& put_old) {
  if (syscall(SYS_pivot_root, root.c_str(), put_old.c_str()) != 0) fail("leave the old root");
  if (chdir("/") != 0) fail("enter the new root");
}

}  // namespace

// As bubblewrap does it: a root for building, in memory, from which both the old root and the new one are seen.
void enter_new_root(const options& o) try {
  umask(022);
  mount_or_fail("none", "/", nullptr, MS_REC | MS_SLAVE, "");  // nothing of this is seen outside
  const fs::path base = "/tmp";
  mount_or_fail("tmpfs", base, "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755,size=1m");
  for (const fs::path& folder : {old_root, new_root}) fs::create_directory(base / folder.relative_path());
  turn_to(base, base / old_root.relative_path());
  mount_or_fail("tmpfs", new_root, "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755,size=1m");

  fs::create_directories(new_root / "tmp");
  mount_or_fail("tmpfs", new_root / "tmp", "tmpfs", MS_NOSUID | MS_NODEV,
                "mode=1777,size=" + std::to_string(o.scratch_bytes));
  constexpr std::uint64_t harmless = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV;
  for (const std::string& path : o.readable) show(path, harmless | MOUNT_ATTR_RDONLY);
  for (const std::string& path : o.writable) show(path, harmless);
  for (const std::string& path : o.devices) show(path, MOUNT_ATTR_NOSUID);
  fs::create_directory(new_root / "proc");
  mount_or_fail("proc", new_root / "proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, "");
  make_read_only(new_root);

  if (umount2(old_root.c_str(), MNT_DETACH) != 0) fail("let go of the old root");
  // The new root takes the place of the one for building, which is let go of in turn: pivot_root(2), "pivot_root(".",
  // ".")".
  if (chdir(new_root.c_str()) != 0) fail("enter the new root");
  if (syscall(SYS_pivot_root, ".", ".") != 0 || umount2(".", MNT_DETACH) != 0 || chdir("/") != 0)
    fail("enter the new root");
} catch (const fs::filesystem_error& e) {
  throw confine_error(e.what());
}

}  // namespace confine
