#pragma once
// rank_call: a call of a verb, as errors, the account of messages and the instruments tell of it.

#include <source_location>
#include <string>

#include "runtime/core/config.h"
#include "runtime/world/transport.h"

namespace gs::inline GS_FLAVOUR::detail {

/// The line of the program that calls a verb.
using rank_place = std::source_location;

struct rank_call {
  const char* verb;
  rank_place place;
  int peer = -1;  ///< the other rank, or the root; -1: any, or all
  int tag = -1;   ///< of a message; -1: any
  operand memory{};
};

/// Whether it sends or receives a message; else it is a verb of all ranks.
bool is_message(const rank_call& call);
bool is_receive(const rank_call& call);

/// "ring.cpp:12".
std::string to_text(const rank_place& place);
/// "receive from rank 2 (tag 7)", "barrier".
std::string to_text(const rank_call& call);
/// "10 float32".
std::string elements_text(const operand& memory);

/// From its construction to its end this rank waits in the call. What ends the program meanwhile (a launcher that ends
/// all ranks because one has failed) says so on standard error: "rank 1 of 4 waited at ring.cpp:12 in receive from rank
/// 0".
class waiting_note {
 public:
  waiting_note(const rank_call& call) : before_(current_) { current_ = &call; }
  ~waiting_note() { current_ = before_; }
  waiting_note(const waiting_note&) = delete;
  waiting_note& operator=(const waiting_note&) = delete;

  /// Tells from now on, as rank `rank` of `size`.
  static void tell_at_the_end(int rank, int size);

 private:
  static void tell(int signal);
  static inline const rank_call* volatile current_ = nullptr;
  const rank_call* before_;
};

}  // namespace gs::inline GS_FLAVOUR::detail
