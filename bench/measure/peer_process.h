#pragma once
// peer_process: a program that is started once and then answers line by line: a peer in another language, or this
// program itself on fewer cores (child_contest.h).

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "runtime/host/descriptor.h"

namespace bench {

/// A peer ended, was silent for too long, refused, or broke the protocol.
class peer_failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A peer was silent for too long.
class peer_silence : public peer_failure {
 public:
  using peer_failure::peer_failure;
};

/// The program reads its questions from standard input and writes its answers to standard output; its descriptor 3 is a
/// file in memory that both sides read and write. This object's destructor kills the program.
class peer_process {
 public:
  /// Starts `command`, whose first word is looked up in PATH. Throws bench::peer_failure if it can't be
  /// started.
  explicit peer_process(const std::vector<std::string>& command);
  peer_process(const peer_process&) = delete;
  peer_process& operator=(const peer_process&) = delete;
  ~peer_process();

  /// One line each way, without their ends. Throws bench::peer_silence if there is no answer within `patience`, and
  /// bench::peer_failure if the program has ended.
  std::string ask(const std::string& question, std::chrono::milliseconds patience);
  /// A line that the program writes without a question.
  std::string listen(std::chrono::milliseconds patience);

  /// Writes at the end of the file, reads from its start, empties it. Both throw bench::peer_failure: if memory runs
  /// out, and if the file is shorter than `data`.
  void append(std::span<const std::byte> data);
  void read(std::span<std::byte> data) const;
  void empty();

  pid_t id() const { return id_; }

 private:
  std::string last_words();

  gs::detail::descriptor file_, errors_, socket_;
  pid_t id_ = 0;
  bool ended_ = false;
  std::string unread_;
};

}  // namespace bench
