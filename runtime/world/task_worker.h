#pragma once
// task_worker: the process in which a rank runs its tasks.

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "runtime/core/config.h"
#include "runtime/host/descriptor.h"
#include "runtime/world/task_bytes.h"

namespace gs::inline GS_FLAVOUR::detail {

/// What has become of a task.
struct task_outcome {
  enum class kind : std::uint8_t {
    value,     ///< bytes: its packed result
    threw,     ///< bytes: the exception's message
    unknown,   ///< this program has no such function
    died,      ///< it has ended its process; bytes: how
    no_worker  ///< this rank has no process to run tasks in any more
  };
  kind is = kind::value;
  task_bytes bytes{};

  static task_outcome of_text(kind is, std::string_view text);
  std::string text() const { return {bytes.begin(), bytes.end()}; }
};

/// A task on its way: the function's identity and its packed arguments.
task_bytes packed_task(const std::string& identity, std::span<const unsigned char> arguments);

/// A rank's worker. Launchers of MPI end all ranks when one dies, so a task that crashes must not take its rank along:
/// it runs in a process of its own, which is forked before MPI and the device's threads have started. When it dies,
/// another one is forked, from a process that was set aside for that. Tasks and results lie in memory that these
/// processes share; a worker that dies while it writes leaves nothing half-written that anybody reads.
class task_worker {
 public:
  /// The most that a task, or its result, may have.
  static constexpr std::size_t most_bytes = std::size_t{64} << 20;

  /// Forks. Throws gs::machine_error where the system has no process left.
  task_worker();
  ~task_worker();
  task_worker(const task_worker&) = delete;
  task_worker& operator=(const task_worker&) = delete;

  /// Hands it a task, of at most `most_bytes`. One at a time.
  void begin(std::span<const unsigned char> task);
  /// What has become of the task: nothing yet if it still runs after so many milliseconds; -1: waits.
  std::optional<task_outcome> look(int milliseconds);

  /// This process's; null in a program that submits no function.
  static task_worker* of_this_process();
  /// Makes it, where functions have come since it was last made. Has to come before MPI is started, and the device's
  /// threads.
  static void prepare();
  /// Whether this process is a worker, which is no rank.
  static bool is_this_process();

 private:
  void forget_the_dead();

  unsigned char* memory_ = nullptr;
  descriptor socket_;
  pid_t keeper_ = -1;  // the process that forks workers
  bool runs_ = false;
  bool lost_ = false;  // the keeper has gone
};

}  // namespace gs::inline GS_FLAVOUR::detail
