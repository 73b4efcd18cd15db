#pragma once
// channel: the grader's end of the socket that a runner answers on.

#include <sys/types.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "assessments/runner/message.h"
#include "runtime/host/descriptor.h"

namespace grader {

using gs::detail::descriptor;

class channel {
 public:
  /// Throws gs::machine_error if the system has no sockets left.
  channel();

  int number() const { return ours_.number(); }
  int runner_end() const { return theirs_.number(); }
  /// Once the runner has it: from then on the channel ends with the runner.
  void close_runner_end() { theirs_.close(); }

  /// Returns whether the runner's end is still open.
  bool send(const runner::request& r);
  /// Sends its length, then a text in packets. The runner must be reading.
  bool send(std::string_view text);

  struct packet {
    std::size_t bytes = 0;  ///< as sent, even if more than there was room for; 0: the far end is closed
    pid_t sender = 0;       ///< the sender according to the kernel, as numbered in our own process namespace
  };
  /// The next packet; empty if there is none yet.
  std::optional<packet> receive(std::span<std::byte> into);

 private:
  descriptor ours_, theirs_;
};

}  // namespace grader
