#include "assessments/grader/tasks/counter_criterion.h"

#include <fmt/format.h>

#include <array>

#include "runtime/core/error.h"
#include "runtime/instruments/device_model/memory_model.h"

namespace grader {
namespace {

using gs::access_kind, gs::line_counters, gs::memory_space;

double atomics(const line_counters& c) {
  const bool counts = c.space == memory_space::global && c.kind == access_kind::atomic;
  return counts ? static_cast<double>(c.accesses) : 0;
}

bool moves_sectors(const line_counters& c) { return c.space == memory_space::global && c.kind != access_kind::atomic; }

// Of all accesses together, not request by request: a thread that moves a sector for each float, one after the other,
// wastes as much as a warp that does so at once.
double sectors_filled(const line_counters& c) {
  return moves_sectors(c) ? static_cast<double>(c.bytes_used) / gs::sector_bytes : 0;
}
double sectors_beyond(const line_counters& c) {
  return moves_sectors(c) ? static_cast<double>(c.sectors) - sectors_filled(c) : 0;
}

double conflicts(const line_counters& c) {
  return c.space == memory_space::shared ? static_cast<double>(c.bank_conflicts()) : 0;
}

double bytes(const line_counters& c) { return moves_sectors(c) ? static_cast<double>(c.bytes_used) : 0; }

// Of single lanes, also where all 32 of a warp ask for the same bytes.
double reads(const line_counters& c) {
  const bool counts = c.space == memory_space::global && c.kind == access_kind::read;
  return counts ? static_cast<double>(c.accesses) : 0;
}

// What the sum over the lines is divided by.
double size(std::string_view counter_name, const test_case& c, const char* name) {
  const auto found = c.sizes.find(name);
  if (found == c.sizes.end())
    throw gs::error(fmt::format("counting {}", counter_name), fmt::format("the case has no size \"{}\"", name),
                    "choose a counter that suits the task");
  return static_cast<double>(found->second);
}
template <const char* counter_name>
double values(const gs::inspection&, const test_case& c) {
  return size(counter_name, c, "values");
}
constexpr char atomics_per_value[] = "global_atomics_per_value", bytes_per_value[] = "global_bytes_per_value";

constexpr char reads_per_interaction[] = "global_reads_per_interaction";
double interactions(const gs::inspection&, const test_case& c) {
  const double bodies = size(reads_per_interaction, c, "bodies");
  return bodies * bodies * size(reads_per_interaction, c, "steps");
}

// Blocks of the kernel that moves most bytes, over all its launches.
double blocks_that_move_most(const gs::inspection& inspection, const test_case&) {
  double most = 0, blocks = 0;
  for (const gs::kernel_counters& one : inspection.kernels) {
    double moved = 0, launched = 0;
    for (const line_counters& line : inspection.lines)
      if (line.kernel == one.kernel) moved += bytes(line);
    for (const gs::kernel_counters& shape : inspection.kernels)
      if (shape.kernel == one.kernel) launched += static_cast<double>(shape.grid.size() * shape.launches);
    if (moved > most) most = moved, blocks = launched;
  }
  return blocks;
}

double filled_by_all(const gs::inspection& inspection, const test_case&) {
  double sum = 0;
  for (const line_counters& c : inspection.lines) sum += sectors_filled(c);
  return sum;
}

double unit(const gs::inspection&, const test_case&) { return 1; }

struct counter {
  std::string_view name, meaning;
  double (*of_line)(const line_counters&);  // null: the calls of ufuncs and libraries, which no line has
  double (*divisor)(const gs::inspection&, const test_case&);
};

constexpr std::array<counter, 7> counters{{
    {atomics_per_value, "atomic operations on global memory per value", atomics, values<atomics_per_value>},
    {bytes_per_value, "bytes of global memory read and written per value", bytes, values<bytes_per_value>},
    {"global_bytes_per_block", "bytes of global memory for each block of the kernel that moves most", bytes,
     blocks_that_move_most},
    {reads_per_interaction, "reads of global memory for each pull of one body on another", reads, interactions},
    {"excess_sectors", "unneeded sectors of global memory moved for each needed one", sectors_beyond, filled_by_all},
    {"bank_conflicts", "bank conflicts of shared memory", conflicts, unit},
    {"library_calls", "calls of ufuncs and libraries", nullptr, unit},
}};

const counter& counter_named(std::string_view name) {
  for (const counter& c : counters)
    if (c.name == name) return c;
  throw gs::error(fmt::format("counting {}", name), "there is no such counter",
                  fmt::format("choose {}", fmt::join(counter_names(), " or ")));
}

}  // namespace

std::vector<std::string_view> counter_names() {
  std::vector<std::string_view> names;
  for (const counter& c : counters) names.push_back(c.name);
  return names;
}

std::string_view meaning_of(std::string_view name) { return counter_named(name).meaning; }

counted count(std::string_view name, const gs::inspection& inspection, const test_case& c) {
  const counter& asked = counter_named(name);
  if (!asked.of_line) return {.value = static_cast<double>(inspection.ufunc_calls)};
  const double divisor = asked.divisor(inspection, c);
  double sum = 0, most = 0;
  counted result;
  for (const line_counters& line : inspection.lines) {
    const double here = asked.of_line(line);
    sum += here;
    if (here > most) {
      most = here;
      result.worst = &line;
    }
  }
  if (divisor > 0) result.value = sum / divisor;
  if (sum > 0) result.worst_share = most / sum;
  return result;
}

std::uint64_t global_bytes(const gs::inspection& inspection) {
  std::uint64_t sum = 0;
  for (const line_counters& c : inspection.lines)
    if (c.space == memory_space::global) sum += c.bytes_used;
  return sum;
}

}  // namespace grader
