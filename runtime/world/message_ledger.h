#pragma once
// The account of messages: what this rank has given to other ranks and got from them, in all and by line.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/core/config.h"
#include "runtime/core/source_place.h"
#include "runtime/world/rank_call.h"

namespace gs::inline GS_FLAVOUR {

/// What this rank's calls of verbs have moved. Of a verb of all ranks it is this rank's part: the elements that it
/// gives, and those that it gets.
struct message_ledger {
  std::uint64_t calls = 0;           ///< a verb that sends sizes along makes two, one that returns a request one
  std::uint64_t bytes_sent = 0;      ///< given to a verb
  std::uint64_t bytes_received = 0;  ///< got from one

  friend bool operator==(const message_ledger&, const message_ledger&) = default;  ///< alike in every count
  /// What happened in between.
  friend message_ledger operator-(const message_ledger& later, const message_ledger& earlier) {
    return {later.calls - earlier.calls, later.bytes_sent - earlier.bytes_sent,
            later.bytes_received - earlier.bytes_received};
  }
};

/// The calls of a line of the program.
struct line_messages {
  source_place place;       ///< file and line
  std::string verb;         ///< "send", "allreduce", ...
  message_ledger messages;  ///< that passed there
};

/// Everything since the program started. The copies of device arrays are in gs::ledger_total().
message_ledger message_total();
/// The same by line, in the order of files and lines.
std::vector<line_messages> messages_by_line();

namespace detail::message_ledger_entry {
void call(const rank_call& made, std::size_t bytes_sent, std::size_t bytes_received);
}  // namespace detail::message_ledger_entry

}  // namespace gs::inline GS_FLAVOUR
