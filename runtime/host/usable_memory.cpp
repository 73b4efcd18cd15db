#include "runtime/host/usable_memory.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace gs::inline GS_FLAVOUR {

std::size_t usable_memory() {
  const auto machine =
      static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  std::size_t limit = machine;
  if (std::ifstream group("/sys/fs/cgroup/memory.max"); group >> limit) return std::min(limit, machine);
  return machine;
}

}  // namespace gs::inline GS_FLAVOUR
