#include "assessments/grader/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <thread>

namespace grader {
namespace {

// What stands behind KEY and a colon in a file of /proc; empty where it doesn't.
std::string value_in(const char* file, std::string_view key) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(key)) continue;
    const std::size_t colon = line.find(':');
    const std::size_t begin = colon == line.npos ? colon : line.find_first_not_of(" \t", colon + 1);
    if (begin != line.npos) return line.substr(begin);
  }
  return "";
}

// The number that a file of the control group begins with; nothing set: the largest.
std::uint64_t group_bytes(const char* file) {
  std::uint64_t bytes = 0;
  return std::ifstream(file) >> bytes ? bytes : std::numeric_limits<std::uint64_t>::max();
}

}  // namespace

std::string machine_name() {
  const std::string model = value_in("/proc/cpuinfo", "model name");
  const unsigned cores = std::thread::hardware_concurrency();
  return fmt::format("{}, {} {}", model.empty() ? "unknown processor" : model, cores, cores == 1 ? "core" : "cores");
}

std::uint64_t free_memory() {
  std::uint64_t free = 0;
  try {
    free = std::stoull(value_in("/proc/meminfo", "MemAvailable")) * 1024;  // "16384 kB"
  } catch (const std::logic_error&) {
    return std::numeric_limits<std::uint64_t>::max();  // not told: let the limits decide
  }
  const std::uint64_t limit = group_bytes("/sys/fs/cgroup/memory.max"),
                      used = group_bytes("/sys/fs/cgroup/memory.current");
  return limit > used ? std::min(free, limit - used) : free;
}

}  // namespace grader
