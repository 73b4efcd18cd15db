#pragma once
// runner_process: one run of gridstride-runner in its sandbox, and the conversation with it.

#include <sys/types.h>

#include <chrono>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <variant>

#include "assessments/grader/running/channel.h"
#include "assessments/grader/running/compile.h"
#include "assessments/grader/running/mishap.h"
#include "assessments/grader/running/shared_memory.h"
#include "assessments/grader/tasks/task.h"
#include "assessments/runner/message.h"
#include "workshop/process.h"

namespace grader {

using workshop::isolation, workshop::process;

/// A valid reply.
struct answered {
  runner::reply reply;
  double seconds = 0;  ///< from sending the request to receiving the reply
  std::string json;    ///< what followed the reply
};

class runner_process {
 public:
  /// Starts the runner and waits until it is ready in its sandbox. Throws gs::machine_error if that fails.
  runner_process(const run_limits& limits, const compiled_module& module, isolation level, unsigned slot,
                 std::uint64_t inputs_bytes, std::uint64_t outputs_bytes);
  ~runner_process();

  /// Sends a request with a fresh nonce and waits for the reply; a stopped runner is resumed first. A mishap has no
  /// `call` yet. After a mishap the runner is gone.
  std::variant<answered, mishap> ask(runner::request r);
  /// Stops all of the runner's threads, and returns once they have stopped. Empty, or a mishap if they can't be
  /// stopped.
  std::optional<mishap> stop();

  bool ended() const { return !alive_; }
  std::span<std::byte> inputs() const { return inputs_.bytes(); }
  std::span<std::byte> outputs() const { return outputs_.bytes(); }
  /// What it has printed so far.
  const std::string& output() {
    process_->wait(clock::now());
    return process_->output();
  }
  std::uint64_t output_written() const { return process_->output_written(); }

 private:
  using clock = process::clock;
  void start();
  void go_on();
  void end();
  std::variant<answered, mishap> receive(clock::time_point sent, clock::time_point deadline);
  std::optional<mishap> answer_lines(answered& a, clock::time_point deadline);
  std::optional<mishap> receive_json(answered& a, clock::time_point deadline);
  std::optional<runner::reply> last_words();
  mishap timed_out();
  mishap unasked(const runner::reply& r, const channel::packet& packet);
  mishap forged();
  mishap too_much_observed(std::uint64_t bytes);
  mishap ended_by_itself();
  mishap crashed(const runner::reply& r);

  const run_limits limits_;
  const compiled_module module_;
  const isolation level_;
  const unsigned slot_;
  shared_memory inputs_, outputs_;
  channel channel_;
  std::optional<process> process_;
  pid_t runner_ = 0;
  std::uint64_t nonce_ = 0, earlier_nonce_ = 0;  // of the last two requests
  bool alive_ = false, stopped_ = false;
  std::uint64_t memory_at_start_ = 0, ended_for_memory_before_ = 0;  // the machine's
  std::random_device entropy_;
};

}  // namespace grader
