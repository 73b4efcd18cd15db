#pragma once
// deadlock_watch: in the checked flavour, ranks that wait tell each other for whom, and find out when none can go on.

#include <chrono>
#include <list>
#include <string>
#include <vector>

#include "runtime/core/config.h"
#include "runtime/world/transport.h"
#include "runtime/world/wait_graph.h"

namespace gs::inline GS_FLAVOUR::detail {

/// This rank's part. A rank that has waited for a second says so to all others, and again each second; when it goes on,
/// it says that, too. After three such reports of all ranks that wait for each other, the first of them fails. It needs
/// no thread: a rank listens while it waits, and one that computes isn't stuck.
class deadlock_watch {
 public:
  explicit deadlock_watch(const transport& library);
  deadlock_watch(const deadlock_watch&) = delete;
  deadlock_watch& operator=(const deadlock_watch&) = delete;

  /// The one of this process.
  static deadlock_watch& of(const transport& library);

  /// One wait: what `state` says, until its end.
  class wait {
   public:
    wait(deadlock_watch& watch, rank_state state);
    ~wait();
    wait(const wait&) = delete;
    wait& operator=(const wait&) = delete;

    /// To be called again and again. The text of a deadlock that this rank is to report; empty as long as there is
    /// none.
    std::string look();

   private:
    deadlock_watch& watch_;
    rank_state state_;
    std::chrono::steady_clock::time_point next_report_;
    unsigned looks_ = 0;
  };

  /// For a program that ends well: waits until all ranks do, and reports to those that wait for this one meanwhile.
  void end();

 private:
  using handle = transport_handle;
  struct message {
    std::vector<char> bytes;
    handle pending;
  };
  void tell(const rank_state& state);
  void listen();

  const transport& library_;
  handle everybody_{};  // a communicator for these messages alone
  int rank_;
  std::vector<rank_state> states_;
  std::list<message> under_way_;
};

}  // namespace gs::inline GS_FLAVOUR::detail
