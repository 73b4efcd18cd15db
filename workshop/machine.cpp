#include "workshop/machine.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <limits>
#include <new>
#include <system_error>
#include <thread>

#include "workbook/number_text.h"

namespace workshop {
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

std::optional<gs::machine_error> lack_of_machine(const std::exception& e, const std::string& asked) {
  if (const auto* known = dynamic_cast<const gs::machine_error*>(&e)) return *known;
  if (dynamic_cast<const std::bad_alloc*>(&e))
    return gs::machine_error(asked, "this machine ran out of memory", "close other programs");
  constexpr std::array lacks = {std::errc::resource_unavailable_try_again, std::errc::not_enough_memory,
                                std::errc::no_space_on_device, std::errc::too_many_files_open,
                                std::errc::too_many_files_open_in_system};
  if (const auto* by_system = dynamic_cast<const std::system_error*>(&e))
    if (std::ranges::any_of(lacks, [&](std::errc one) { return by_system->code() == one; }))
      return gs::machine_error(asked, std::string("this machine has no more of it: ") + e.what(), "end other programs");
  return std::nullopt;
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

std::uint64_t memory_limit() {
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  for (const auto resource : {RLIMIT_AS, RLIMIT_DATA}) {
    rlimit limit{};
    if (getrlimit(resource, &limit) == 0) least = std::min<std::uint64_t>(least, limit.rlim_cur);
  }
  return least;
}

std::uint64_t processes_ended_for_memory() {
  std::ifstream file("/proc/vmstat");
  std::string name;
  for (std::uint64_t count = 0; file >> name >> count;)
    if (name == "oom_kill") return count;
  return 0;
}

std::string bytes_text(std::uint64_t n) { return workbook::to_text(workbook::bytes(static_cast<double>(n))); }

}  // namespace workshop
