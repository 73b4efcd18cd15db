#include "runtime/world/message_ledger.h"

#include <algorithm>
#include <mutex>
#include <tuple>
#include <unordered_map>

namespace gs::inline GS_FLAVOUR {
namespace {

// A line by the address of its file's name: one line may have several, which messages_by_line() puts together.
struct call_site {
  const char* file;
  unsigned line, column;
  const char* verb;
  bool operator==(const call_site&) const = default;
};
struct site_hash {
  std::size_t operator()(const call_site& s) const {
    const auto address = reinterpret_cast<std::uintptr_t>(s.file) ^ reinterpret_cast<std::uintptr_t>(s.verb) << 1;
    return (address * 31 + s.line) * 31 + s.column;
  }
};

struct account {
  std::mutex mutex;
  message_ledger total;
  std::unordered_map<call_site, message_ledger, site_hash> by_site;
};
account& the_account() {
  static account all;
  return all;
}

void add(message_ledger& to, std::size_t sent, std::size_t received, std::uint64_t calls = 1) {
  to.calls += calls, to.bytes_sent += sent, to.bytes_received += received;
}

}  // namespace

void detail::message_ledger_entry::call(const rank_call& made, std::size_t bytes_sent, std::size_t bytes_received) {
  account& all = the_account();
  const std::lock_guard lock(all.mutex);
  add(all.total, bytes_sent, bytes_received);
  const rank_place& at = made.place;
  add(all.by_site[{at.file_name(), at.line(), at.column(), made.verb}], bytes_sent, bytes_received);
}

message_ledger message_total() {
  account& all = the_account();
  const std::lock_guard lock(all.mutex);
  return all.total;
}

std::vector<line_messages> messages_by_line() {
  account& all = the_account();
  const std::lock_guard lock(all.mutex);
  std::vector<line_messages> lines;
  for (const auto& [site, messages] : all.by_site) {
    const source_place place{site.file, site.line, site.column};
    const auto same =
        std::ranges::find_if(lines, [&](const line_messages& l) { return l.place == place && l.verb == site.verb; });
    message_ledger& to =
        same == lines.end() ? lines.emplace_back(place, site.verb, message_ledger{}).messages : same->messages;
    add(to, messages.bytes_sent, messages.bytes_received, messages.calls);
  }
  std::ranges::sort(
      lines, {}, [](const line_messages& l) { return std::tie(l.place.file, l.place.line, l.place.column, l.verb); });
  return lines;
}

}  // namespace gs::inline GS_FLAVOUR
