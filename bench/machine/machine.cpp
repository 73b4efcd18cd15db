#include "bench/machine/machine.h"

#include <benchmark/benchmark.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>

#include "runtime/device/device.h"
#include "runtime/host/cores.h"

namespace bench {
namespace {

// The text behind "key" and an optional colon in a file of "key : value" lines.
std::string value_in(const char* file, std::string_view key) {
  std::ifstream lines(file);
  for (std::string text; std::getline(lines, text);) {
    if (!text.starts_with(key)) continue;
    const auto begin = text.find_first_not_of(" \t:", key.size());
    return begin == std::string::npos ? "" : text.substr(begin);
  }
  return "";
}

std::string vector_width() {
#if defined(__AVX512F__)
  return "AVX-512 (512 bits)";
#elif defined(__AVX2__)
  return "AVX2 (256 bits)";
#elif defined(__AVX__)
  return "AVX (256 bits)";
#elif defined(__SSE2__)
  return "SSE2 (128 bits)";
#elif defined(__ARM_FEATURE_SVE)
  return "SVE";
#elif defined(__ARM_NEON)
  return "NEON (128 bits)";
#else
  return "none known";
#endif
}

// The word in brackets: "always [madvise] never".
std::string huge_pages() {
  std::ifstream file("/sys/kernel/mm/transparent_hugepage/enabled");
  std::string text;
  std::getline(file, text);
  const auto begin = text.find('['), end = text.find(']');
  return begin == std::string::npos || end == std::string::npos ? "unknown" : text.substr(begin + 1, end - begin - 1);
}

std::optional<std::size_t> number_in(const char* file) {
  std::ifstream stream(file);
  std::size_t number = 0;
  if (stream >> number) return number;
  return std::nullopt;  // no such file, or "max"
}

}  // namespace

machine this_machine() {
  utsname system{};
  uname(&system);
  machine m;
  m.architecture = system.machine;
  m.processor = value_in("/proc/cpuinfo", "model name");
  if (m.processor.empty()) m.processor = m.architecture;
  m.cores = static_cast<int>(gs::core_count());
  for (const auto& c : benchmark::CPUInfo::Get().caches)
    if (c.type == "Data" || c.type == "Unified")
      m.caches.push_back({c.level, static_cast<std::size_t>(c.size), std::max(c.num_sharing, 1)});
  std::ranges::sort(m.caches, {}, &cache::level);
  m.vector_width = vector_width();
  m.huge_pages = huge_pages();
  m.memory = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::string reason = gs::why_no_cuda();
  m.gpu = reason.empty() ? gs::device_context::of(gs::device_kind::cuda).hardware().info().name : "none: " + reason;
  double load[1] = {0};
  getloadavg(load, 1);
  m.load = load[0];
  return m;
}

std::size_t free_memory() {
  std::size_t free = std::numeric_limits<std::size_t>::max();
  if (std::istringstream text(value_in("/proc/meminfo", "MemAvailable")); text >> free) free *= 1024;
  const auto within = [&](const char* limit_file, const char* used_file) {
    const auto limit = number_in(limit_file), used = number_in(used_file);
    if (limit && used) free = std::min(free, *limit - std::min(*limit, *used));
  };
  within("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current");
  within("/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes");
  return free;
}

std::size_t last_level_cache(const machine& m) {
  return m.caches.empty() ? std::size_t{32} << 20 : m.caches.back().bytes;
}

}  // namespace bench
