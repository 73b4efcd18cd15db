#include "bench/machine/machine.h"

#include <benchmark/benchmark.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "runtime/device/device.h"
#include "runtime/host/cores.h"
#include "runtime/host/machine.h"

namespace bench {
namespace {

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

}  // namespace

machine this_machine() {
  utsname system{};
  uname(&system);
  machine m;
  m.architecture = system.machine;
  m.processor = gs::detail::processor_name();
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
  m.gpu =
      reason.empty() ? gs::detail::device_context::of(gs::device_kind::cuda).hardware().info().name : "none: " + reason;
  double load[1] = {0};
  getloadavg(load, 1);
  m.load = load[0];
  return m;
}

std::size_t last_level_cache(const machine& m) {
  return m.caches.empty() ? std::size_t{32} << 20 : m.caches.back().bytes;
}

}  // namespace bench
