#include "programs/profiler_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <set>
#include <utility>

#include "runtime/core/printable.h"

namespace programs {
namespace {

using fields = std::vector<std::string>;

// A line of quoted fields; empty if it is none.
fields split(std::string_view line) {
  fields found;
  std::size_t at = 0;
  while (at < line.size() && line[at] == '"') {
    std::string field;
    for (++at; at < line.size(); ++at) {
      if (line[at] == '"' && at + 1 < line.size() && line[at + 1] == '"')
        field += line[++at];
      else if (line[at] == '"')
        break;
      else
        field += line[at];
    }
    if (at >= line.size()) return {};
    found.push_back(std::move(field));
    if (++at < line.size() && line[at] == ',') ++at;
  }
  return found;
}

// "1,234.5" in nsecond, usecond, ms, ...: in seconds; other units as they are.
double value_of(std::string text, std::string_view unit) {
  std::erase(text, ',');
  const double value = std::strtod(text.c_str(), nullptr);
  if (unit == "nsecond" || unit == "ns") return value * 1e-9;
  if (unit == "usecond" || unit == "us") return value * 1e-6;
  if (unit == "msecond" || unit == "ms") return value * 1e-3;
  return value;
}

std::string time_text(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.1f} µs", seconds * 1e6);
  return seconds < 1 ? fmt::format("{:.2f} ms", seconds * 1e3) : fmt::format("{:.2f} s", seconds);
}

}  // namespace

std::vector<profiled_kernel> read_profiler_log(std::string_view log) {
  std::vector<profiled_kernel> kernels;
  std::optional<fields> header;
  std::set<std::pair<std::string, std::string>> launches;  // name and number
  while (!log.empty()) {
    const std::size_t end = std::min(log.find('\n'), log.size());
    std::string_view line = log.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    log.remove_prefix(std::min(end + 1, log.size()));
    const fields row = split(line);
    if (row.empty()) continue;
    if (row.front() == "ID") {
      header = row;
      continue;
    }
    if (!header || row.size() != header->size()) continue;
    const auto field = [&](std::string_view name) -> std::string {
      const auto found = std::ranges::find(*header, name);
      return found == header->end() ? "" : row[static_cast<std::size_t>(found - header->begin())];
    };
    const std::string name = field("Kernel Name"), metric = field("Metric Name");
    if (name.empty() || metric.empty()) continue;
    auto kernel = std::ranges::find(kernels, name, &profiled_kernel::name);
    if (kernel == kernels.end()) kernel = kernels.insert(kernel, {.name = name, .launches = 0, .sums = {}});
    if (launches.emplace(name, field("ID")).second) ++kernel->launches;
    kernel->sums[metric] += value_of(field("Metric Value"), field("Metric Unit"));
  }
  return kernels;
}

std::string profiler_text(const std::vector<profiled_kernel>& kernels) {
  if (kernels.empty()) return "";
  std::string text = fmt::format("{:<32} {:>8} {:>10} {:>9} {:>9} {:>12}\n", "kernel", "launches", "time", "compute",
                                 "memory", "bytes used");
  for (const profiled_kernel& kernel : kernels) {
    const auto average = [&](std::string_view metric) -> std::string {
      const auto found = kernel.sums.find(metric);
      if (found == kernel.sums.end()) return "-";
      return fmt::format("{:.0f} %", found->second / static_cast<double>(kernel.launches));
    };
    const auto time = kernel.sums.find(profiled_metrics[0]);
    text += fmt::format("{:<32} {:>8} {:>10} {:>9} {:>9} {:>12}\n",
                        gs::detail::printable(kernel.name.substr(0, kernel.name.find('('))), kernel.launches,
                        time == kernel.sums.end() ? "-" : time_text(time->second), average(profiled_metrics[1]),
                        average(profiled_metrics[2]), average(profiled_metrics[3]));
  }
  return text + "compute and memory: of what the device can; bytes used: of each sector that a load reads\n";
}

}  // namespace programs
