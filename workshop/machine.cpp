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

#include "runtime/host/machine.h"

namespace workshop {

std::string machine_name() {
  const std::string model = gs::detail::processor_name();
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
    if (std::ranges::any_of(lacks, [&](std::errc lack) { return by_system->code() == lack; }))
      return gs::machine_error(asked, std::string("this machine has run out: ") + e.what(), "end other programs");
  return std::nullopt;
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

std::string bytes_text(std::uint64_t n) {
  constexpr std::array prefixes = {"", "k", "M", "G", "T", "P", "E"};
  auto value = static_cast<double>(n);
  std::size_t k = 0;
  for (; value >= 999.5; ++k) value /= 1000;
  return fmt::format("{:.3g} {}B", value, prefixes[k]);
}

}  // namespace workshop
