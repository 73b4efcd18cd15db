#include "runtime/core/ledger.h"

#include <fmt/format.h>

#include <atomic>
#include <vector>

namespace gs::inline GS_FLAVOUR {
namespace {

using counter = std::atomic<std::uint64_t>;

struct counters {
  counter copies_to_device, bytes_to_device, copies_to_host, bytes_to_host, copies_within_device, bytes_within_device,
      launches, allocations, allocated_bytes, synchronizations, loans, lent_bytes;
};

counters& total_counters() {
  static counters the_counters;
  return the_counters;
}

void add(counter& c, std::uint64_t amount = 1) { c.fetch_add(amount, std::memory_order_relaxed); }

std::string bytes_text(std::uint64_t bytes) {
  const auto b = static_cast<double>(bytes);
  if (bytes < 1000) return fmt::format("{} B", bytes);
  if (b < 1e6) return fmt::format("{:.1f} kB", b / 1e3);
  if (b < 1e9) return fmt::format("{:.1f} MB", b / 1e6);
  return fmt::format("{:.2f} GB", b / 1e9);
}

}  // namespace

ledger ledger_total() {
  const counters& c = total_counters();
  return {.copies_to_device = c.copies_to_device,
          .bytes_to_device = c.bytes_to_device,
          .copies_to_host = c.copies_to_host,
          .bytes_to_host = c.bytes_to_host,
          .copies_within_device = c.copies_within_device,
          .bytes_within_device = c.bytes_within_device,
          .launches = c.launches,
          .allocations = c.allocations,
          .allocated_bytes = c.allocated_bytes,
          .synchronizations = c.synchronizations,
          .loans = c.loans,
          .lent_bytes = c.lent_bytes};
}

ledger operator-(const ledger& later, const ledger& earlier) {
  return {.copies_to_device = later.copies_to_device - earlier.copies_to_device,
          .bytes_to_device = later.bytes_to_device - earlier.bytes_to_device,
          .copies_to_host = later.copies_to_host - earlier.copies_to_host,
          .bytes_to_host = later.bytes_to_host - earlier.bytes_to_host,
          .copies_within_device = later.copies_within_device - earlier.copies_within_device,
          .bytes_within_device = later.bytes_within_device - earlier.bytes_within_device,
          .launches = later.launches - earlier.launches,
          .allocations = later.allocations - earlier.allocations,
          .allocated_bytes = later.allocated_bytes - earlier.allocated_bytes,
          .synchronizations = later.synchronizations - earlier.synchronizations,
          .loans = later.loans - earlier.loans,
          .lent_bytes = later.lent_bytes - earlier.lent_bytes};
}

std::string to_string(const ledger& a) {
  std::vector<std::string> parts;
  const auto add_part = [&](std::uint64_t count, const char* singular, const char* plural, std::uint64_t bytes = 0) {
    if (count == 0) return;
    auto text = fmt::format("{} {}", count, count == 1 ? singular : plural);
    if (bytes > 0) text += fmt::format(" ({})", bytes_text(bytes));
    parts.push_back(text);
  };
  add_part(a.copies_to_device, "copy to the device", "copies to the device", a.bytes_to_device);
  add_part(a.copies_to_host, "copy to the host", "copies to the host", a.bytes_to_host);
  add_part(a.copies_within_device, "copy within the device", "copies within the device", a.bytes_within_device);
  add_part(a.launches, "launch", "launches");
  add_part(a.allocations, "allocation", "allocations", a.allocated_bytes);
  add_part(a.synchronizations, "synchronization", "synchronizations");
  add_part(a.loans, "loan", "loans", a.lent_bytes);
  return parts.empty() ? "nothing happened" : fmt::format("{}", fmt::join(parts, ", "));
}

namespace ledger_entry {
void copy_to_device(std::size_t bytes) {
  add(total_counters().copies_to_device), add(total_counters().bytes_to_device, bytes);
}
void copy_to_host(std::size_t bytes) {
  add(total_counters().copies_to_host), add(total_counters().bytes_to_host, bytes);
}
void copy_within_device(std::size_t bytes) {
  add(total_counters().copies_within_device), add(total_counters().bytes_within_device, bytes);
}
void launch() { add(total_counters().launches); }
void allocation(std::size_t bytes) { add(total_counters().allocations), add(total_counters().allocated_bytes, bytes); }
void synchronization() { add(total_counters().synchronizations); }
void loan(std::size_t bytes) { add(total_counters().loans), add(total_counters().lent_bytes, bytes); }
}  // namespace ledger_entry

}  // namespace gs::inline GS_FLAVOUR
