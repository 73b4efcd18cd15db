#include "workshop/sandbox.h"

#include <linux/capability.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <optional>
#include <thread>

#include "runtime/core/error.h"
#include "workshop/build_parts.h"
#include "workshop/private_folder.h"
#include "workshop/process.h"
#include "workshop/sandbox_users.h"

namespace workshop {
namespace {

namespace fs = std::filesystem;
using words = std::vector<std::string>;

void add(words& line, std::initializer_list<std::string> more) { line.insert(line.end(), more); }

// Debian's folders for programs and libraries, and the files by which libraries are found.
constexpr std::array system_folders = {"/usr",
                                       "/bin",
                                       "/sbin",
                                       "/lib",
                                       "/lib32",
                                       "/lib64",
                                       "/libx32",
                                       "/etc/ld.so.cache",
                                       "/etc/ld.so.conf",
                                       "/etc/ld.so.conf.d",
                                       "/etc/alternatives"};
constexpr std::array ordinary_devices = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"};

bool is_folder_of(const fs::path& folder, const fs::path& path) {
  const fs::path relative = path.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

// If the project itself is below /usr, it is hidden there, and only what is `readable` shows through.
std::optional<fs::path> project_below_usr() {
  fs::path sources = fs::weakly_canonical(GRIDSTRIDE_SOURCE_DIR);
  if (is_folder_of("/usr", sources)) return sources;
  return std::nullopt;
}

// bubblewrap creates missing parent folders by itself, but accessible to root alone.
void show(words& line, const std::string& how, const fs::path& path) {
  const fs::path folder = path.parent_path();
  fs::path above;
  for (const fs::path& part : folder) {
    above /= part;
    if (above != "/" && above != "/usr" && above != "/tmp") add(line, {"--dir", above.string()});
  }
  add(line, {how, path.string(), path.string()});
}

words bubblewrap(const confinement& c) {
  words line = {"bwrap",         "--die-with-parent", "--new-session", "--unshare-ipc",       "--unshare-pid",
                "--unshare-net", "--unshare-uts",     "--clearenv",    "--unshare-cgroup-try"};
  if (!can_become_others()) line.push_back("--unshare-user");
  for (const std::string folder : system_folders) {
    if (fs::is_symlink(folder))
      add(line, {"--symlink", fs::read_symlink(folder).string(), folder});
    else
      show(line, "--ro-bind-try", folder);
  }
  if (const auto sources = project_below_usr()) add(line, {"--tmpfs", sources->string()});
  add(line, {"--proc", "/proc", "--dev", "/dev"});
  if (c.gpu) {
    for (const std::string& device : gpu_devices()) add(line, {"--dev-bind", device, device});
    add(line, {"--ro-bind-try", "/sys", "/sys"});
  }
  add(line, {"--perms", "1777", "--size", std::to_string(c.scratch_bytes), "--tmpfs", "/tmp"});
  for (const fs::path& path : c.readable) show(line, "--ro-bind", path);
  show(line, "--ro-bind", confine_program());
  if (!c.writable.empty()) show(line, "--bind", c.writable);
  // The rest of both is memory that nothing limits.
  add(line, {"--remount-ro", "/dev", "--remount-ro", "/"});
  return line;
}

words unshare() {
  words line = {"unshare",  "--mount", "--pid",        "--net",         "--ipc",    "--uts",
                "--cgroup", "--fork",  "--kill-child", "--propagation", "unchanged"};
  if (!can_become_others()) add(line, {"--user", "--map-current-user", "--keep-caps"});
  return line;
}

std::string variable(const char* name) {
  const char* text = std::getenv(name);
  return text ? text : "";
}

// gridstride-confine's arguments, up to the --.
words confine(isolation level, const confinement& c, unsigned slot) {
  words line = {confine_program().string()};
  const bool own_files = level == isolation::bubblewrap || level == isolation::namespaces;
  if (level == isolation::namespaces) add(line, {"--new-root", "--scratch", std::to_string(c.scratch_bytes)});
  if (level == isolation::landlock) line.push_back("--landlock");
  if (level != isolation::bubblewrap) {
    for (const char* folder : system_folders) add(line, {"--read", folder});
    for (const fs::path& path : c.readable) add(line, {"--read", path.string()});
    add(line, {"--read", confine_program().string()});
    if (!c.writable.empty()) add(line, {"--write", c.writable.string()});
    for (const char* device : ordinary_devices) add(line, {"--device", device});
    if (c.gpu) {
      for (const char* place : {"/sys", "/proc/driver/nvidia", "/proc/devices", "/proc/modules"})
        add(line, {"--read", place});
      for (const std::string& device : gpu_devices()) add(line, {"--device", device});
    }
  }
  if (can_become_others())
    add(line, {"--user", std::to_string(sandbox_user(slot))});
  else if (own_files)
    line.push_back("--own-users");

  const auto limit = [&](const std::string& name, std::uint64_t value) {
    add(line, {"--limit", name + "=" + std::to_string(value)});
  };
  limit("core", 0);
  limit("cpu", static_cast<std::uint64_t>(std::ceil(c.processor_seconds)) + 1);
  limit("data", c.memory_bytes);
  if (c.address_bytes > 0) limit("as", c.address_bytes);
  limit("stack", 64 << 20);
  limit("memlock", 64 << 10);
  limit("fsize", c.scratch_bytes);
  limit("nofile", c.gpu ? 1024 : 256);
  // Otherwise all of the user's programs would count.
  if (can_become_others() || own_files) limit("nproc", c.processes);

  const std::string temporary = c.writable.empty() ? "/tmp" : c.writable.string();
  const auto set = [&](const std::string& name, const std::string& value) {
    if (!value.empty()) add(line, {"--set", name + "=" + value});
  };
  set("PATH", "/usr/local/bin:/usr/bin:/bin");
  set("LANG", "C.UTF-8");
  set("HOME", temporary);
  // Another user may not be able to reach it by its absolute path: a folder above it may be closed.
  set("TMPDIR", own_files || c.writable.empty() ? temporary : ".");
  set("GRIDSTRIDE_TARGET", c.gpu ? "cuda" : "engine");
  if (c.gpu) set("CUDA_VISIBLE_DEVICES", variable("CUDA_VISIBLE_DEVICES"));
  set("GRIDSTRIDE_THREADS", variable("GRIDSTRIDE_THREADS"));
  add(line, {"--directory", level == isolation::landlock && c.writable.empty() ? "/usr" : temporary});
  if (c.may_fork)
    line.push_back("--may-fork");
  else if (!c.gpu)
    line.push_back("--report-calls");
  if (c.gpu) line.push_back("--gpu");
  return line;
}

bool try_level(isolation level) {
  const private_folder folder;
  const fs::path witness = folder.path() / "witness";
  std::ofstream(witness) << "whoever reads this isn't isolated\n";
  fs::permissions(folder.path(), fs::perms(0755));
  // Without isolation it could be read: then the program only has to start.
  const fs::path unseen = level == isolation::limits ? folder.path() / "absent" : witness;
  const process_options o{.command = confined(level, {}, {confine_program().string(), "--probe", unseen.string()})};
  try {
    return run_program(o, 10).status == 0;
  } catch (const gs::machine_error&) {
    return false;  // bubblewrap or unshare isn't installed
  }
}

}  // namespace

std::string to_string(isolation level) {
  switch (level) {
    case isolation::bubblewrap:
      return "bubblewrap";
    case isolation::namespaces:
      return "namespaces";
    case isolation::landlock:
      return "landlock";
    case isolation::limits:
      return "not isolated";
  }
  return "unknown";
}

bool can_become_others() {
  static const bool can = [] {
    if (geteuid() != 0) return false;
    // In a user namespace, the sandbox users' numbers may not be mapped.
    std::uint64_t inside = 0, outside = 0, count = 0;
    bool known = false;
    for (std::ifstream map("/proc/self/uid_map"); map >> inside >> outside >> count;)
      known |= inside <= first_sandbox_user && last_sandbox_user < inside + count;
    std::string word;
    std::uint64_t effective = 0;
    for (std::ifstream status("/proc/self/status"); status >> word;)
      if (word == "CapEff:") status >> std::hex >> effective;
    constexpr std::uint64_t needed = 1u << CAP_CHOWN | 1u << CAP_SETGID | 1u << CAP_SETUID;
    return known && (effective & needed) == needed;
  }();
  return can;
}

bool works(isolation level) {
  switch (level) {
    case isolation::bubblewrap: {
      static const bool works = try_level(isolation::bubblewrap);
      return works;
    }
    case isolation::namespaces: {
      static const bool works = try_level(isolation::namespaces);
      return works;
    }
    case isolation::landlock: {
      static const bool works = try_level(isolation::landlock);
      return works;
    }
    case isolation::limits:
      break;
  }
  static const bool works = try_level(isolation::limits);
  return works;
}

isolation strongest_isolation() {
  for (const isolation level : {isolation::bubblewrap, isolation::namespaces, isolation::landlock})
    if (works(level)) return level;
  return isolation::limits;
}

std::vector<std::string> gpu_devices() {
  std::vector<std::string> found;
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator("/dev", none)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("nvidia") || name == "dxg") found.push_back(entry.path().string());
  }
  return found;
}

std::vector<std::string> confined(isolation level, const confinement& c, const std::vector<std::string>& command,
                                  unsigned slot) {
  // Whatever comes next: this program's child dies with it, and so on inwards.
  words line = {confine_program().string(), "--tied-to", std::to_string(getpid())};
  const auto append = [&](const words& more) { line.insert(line.end(), more.begin(), more.end()); };
  if (level == isolation::bubblewrap) {
    append(bubblewrap(c));
    line.push_back("--");
  }
  if (level == isolation::namespaces) append(unshare());
  append(confine(level, c, slot));
  line.push_back("--");
  append(command);
  return line;
}

}  // namespace workshop
