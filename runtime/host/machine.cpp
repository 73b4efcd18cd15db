#include "runtime/host/machine.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <string_view>

namespace gs::inline GS_FLAVOUR::detail {
namespace {

constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

// What stands behind the key and a colon in a file of /proc; empty where it doesn't.
std::string value_in(const char* file, std::string_view key) {
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(key)) continue;
    const std::size_t begin = line.find_first_not_of(" \t:", key.size());
    return begin == line.npos ? "" : line.substr(begin);
  }
  return "";
}

// Nothing if there is no such file, or it says "max".
std::optional<std::size_t> number_in(const char* file) {
  std::size_t number = 0;
  if (std::ifstream(file) >> number) return number;
  return std::nullopt;
}

}  // namespace

std::string processor_name() { return value_in("/proc/cpuinfo", "model name"); }

std::size_t usable_memory() {
  const auto machine =
      static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return std::min(machine, number_in("/sys/fs/cgroup/memory.max").value_or(unlimited));
}

std::size_t free_memory() {
  std::size_t free = 0;
  if (std::istringstream text(value_in("/proc/meminfo", "MemAvailable")); text >> free)  // "16384 kB"
    free *= 1024;
  else
    free = unlimited;  // not told: let the limits decide
  // Control groups of the second version, then of the first.
  const auto within = [&](const char* limit_file, const char* used_file) {
    const auto limit = number_in(limit_file), used = number_in(used_file);
    if (limit && used) free = std::min(free, *limit - std::min(*limit, *used));
  };
  within("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current");
  within("/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes");
  return free;
}

}  // namespace gs::inline GS_FLAVOUR::detail
