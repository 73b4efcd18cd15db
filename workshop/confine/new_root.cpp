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

// Both are in a tmpfs; the old root is at the first path until everything is in place.
const fs::path old_root = "/old", new_root = "/new";

void mount_or_fail(const char* source, const fs::path& path, const char* type, unsigned long flags,
                   const std::string& data) {
  if (mount(source, path.c_str(), type, flags, data.empty() ? nullptr : data.c_str()) != 0)
    fail("mount " + path.string());
}

void make_place(const fs::path& path, bool is_folder) {
  fs::create_directories(is_folder ? path : path.parent_path());
  if (is_folder || fs::exists(path)) return;  // a file may be named twice
  const int file = open(path.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0444);
  if (file < 0) fail("make " + path.string());
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
  mount_attr change{};
  change.attr_set = attributes;
  if (syscall(SYS_mount_setattr, AT_FDCWD, to.c_str(), AT_RECURSIVE, &change, sizeof change) != 0)
    fail("protect " + path.string());
}

void make_read_only(const fs::path& path) {
  mount_attr change{};
  change.attr_set = MOUNT_ATTR_RDONLY;
  if (syscall(SYS_mount_setattr, AT_FDCWD, path.c_str(), 0, &change, sizeof change) != 0)
    fail("protect " + path.string());
}

void turn_to(const fs::path& root, const fs::path& put_old) {
  if (syscall(SYS_pivot_root, root.c_str(), put_old.c_str()) != 0) fail("leave the old root");
  if (chdir("/") != 0) fail("enter the new root");
}

}  // namespace

// As bubblewrap does it: a temporary root in memory, from which both the old root and the new one can be reached.
void enter_new_root(const options& o) try {
  umask(022);
  mount_or_fail("none", "/", nullptr, MS_REC | MS_SLAVE, "");  // none of this shows outside
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
  // The new root replaces the temporary one, which is detached in turn: pivot_root(2), "pivot_root(".", ".")".
  if (chdir(new_root.c_str()) != 0) fail("enter the new root");
  if (syscall(SYS_pivot_root, ".", ".") != 0 || umount2(".", MNT_DETACH) != 0 || chdir("/") != 0)
    fail("enter the new root");
} catch (const fs::filesystem_error& e) {
  throw confine_error(e.what());
}

}  // namespace confine
