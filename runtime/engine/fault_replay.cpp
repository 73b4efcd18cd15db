#include "runtime/engine/fault_replay.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio_ext.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <optional>
#include <type_traits>

#include "runtime/engine/block_scheduler.h"
#include "runtime/engine/kernel_faults.h"
#include "runtime/engine/kernel_work.h"
#include "runtime/host/cores.h"

namespace gs::inline GS_FLAVOUR::detail {
namespace {

static_assert(std::is_trivially_copyable_v<thread_fault>, "it goes through a pipe");

using thread_order = block_scheduler::thread_order;

constexpr std::chrono::milliseconds longest_replay{2000};
constexpr std::array signals_of_the_code = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};

int replay_report = -1;  // in the copy: the pipe to the process that waits

// --- in the copy -----------------------------------------------------------------------------------------------------

// Only this thread is left. What others were doing with the standard streams isn't finished: their locks are not taken.
bool is_silent() {
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere < 0 || dup2(nowhere, STDOUT_FILENO) < 0 || dup2(nowhere, STDERR_FILENO) < 0) return false;
  __fsetlocking(stdout, FSETLOCKING_BYCALLER);
  __fsetlocking(stderr, FSETLOCKING_BYCALLER);
  return true;
}

[[noreturn]] void replay(const kernel_work& work, const thread_fault& first, thread_order order, int report,
                         pid_t parent) {
  replay_report = report;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  prctl(PR_SET_DUMPABLE, 0);  // no core file
  for (const int signal : {SIGABRT, SIGTRAP, SIGSYS})
    if (signal != trap_signal) ::signal(signal, SIG_DFL);
  if (getppid() != parent || !is_silent()) end_replay(nullptr);
  try {
    block_scheduler& scheduler = block_scheduler::of_this_thread();
    scheduler.run_thread_by_thread(first.kernel, order, [&] { work.run_block_again(scheduler, first.block_number); });
  } catch (...) {  // another error, or other threads to wait for: nothing can be said
  }
  end_replay(nullptr);
}

// --- in the process --------------------------------------------------------------------------------------------------

// Lets a new process have only the signals that its own code causes; afterwards, the thread's as before.
class other_signals_blocked {
 public:
  other_signals_blocked() {
    sigset_t others;
    sigfillset(&others);
    for (const int signal : signals_of_the_code) sigdelset(&others, signal);
    pthread_sigmask(SIG_SETMASK, &others, &before_);
  }
  ~other_signals_blocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  other_signals_blocked(const other_signals_blocked&) = delete;
  other_signals_blocked& operator=(const other_signals_blocked&) = delete;

 private:
  sigset_t before_;
};

// What the copy has found; nothing if it ends without a word or takes too long.
std::optional<thread_fault> read_report(int pipe) {
  using clock = std::chrono::steady_clock;
  const auto deadline = clock::now() + longest_replay;
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - clock::now());
    if (left.count() <= 0) return {};
    pollfd event{.fd = pipe, .events = POLLIN, .revents = 0};
    const int ready = poll(&event, 1, static_cast<int>(left.count()));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return {};
    thread_fault found;
    if (read(pipe, &found, sizeof found) != sizeof found) return {};  // written at once: it is less than PIPE_BUF
    return found;
  }
}

std::optional<thread_fault> replay_in_a_copy(const kernel_work& work, const thread_fault& first, thread_order order) {
  std::array<int, 2> pipe;
  if (pipe2(pipe.data(), O_CLOEXEC) != 0) return {};
  const pid_t parent = getpid();
  const pid_t copy = [&] {
    const other_signals_blocked for_the_copy;
    // Without the handlers of pthread_atfork: what libraries do there, such as end their threads, is for other times.
    const pid_t number = _Fork();
    if (number == 0) replay(work, first, order, pipe[1], parent);
    return number;
  }();
  close(pipe[1]);
  std::optional<thread_fault> found;
  if (copy > 0) {
    found = read_report(pipe[0]);
    kill(copy, SIGKILL);
    while (waitpid(copy, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  close(pipe[0]);
  return found;
}

// The fault with the number of its thread, if that can be told.
//
// Threads that had come past the place may stop there now, because of what they have written: at x[i] = 7 / x[i], where
// the quotients are 0. So the block runs backward, too: if another thread than the first stops there, and it isn't the
// last of the block, nothing is told. None of that where the fault has an address of its own.
std::optional<thread_fault> name_thread(const kernel_work& work, const thread_fault& first) {
  const std::optional<thread_fault> found = replay_in_a_copy(work, first, thread_order::forward);
  if (!found || !is_repeated(first, *found)) return std::nullopt;
  if (has_address_of_its_own(first)) return found;
  const std::optional<thread_fault> last = replay_in_a_copy(work, first, thread_order::backward);
  const bool only_one = !last || last->thread == found->thread;
  const bool all = last && is_repeated(first, *last) && *last->thread + 1 == last->block.size();
  return only_one || all ? found : std::nullopt;
}

}  // namespace

}  // namespace gs::inline GS_FLAVOUR::detail

extern "C" {
void gridstride_replay_keeps_marks() noexcept {}
void gridstride_replay_thread(unsigned thread) noexcept {
  if (gs::detail::block_scheduler* scheduler = gs::detail::block_scheduler::running_here())
    scheduler->mark_thread(thread);
}
std::size_t gridstride_replay_turn(std::size_t turn, std::size_t n) noexcept {
  const gs::detail::block_scheduler* scheduler = gs::detail::block_scheduler::running_here();
  return scheduler && scheduler->runs_backward() ? n - 1 - turn : turn;
}
}

namespace gs::inline GS_FLAVOUR::detail {

bool replays_fault() { return replay_report >= 0; }

void end_replay(const thread_fault* found) {
  if (found && found->thread) {
    [[maybe_unused]] const ssize_t written = write(replay_report, found, sizeof *found);
  }
  _exit(0);
}

void run_and_name_fault(host_work& work) {
  constexpr auto on_all_cores = [](std::size_t n, std::size_t grain,
                                   function_ref<void(std::size_t, std::size_t)> body) { for_pieces(n, grain, body); };
  try {
    work.run(on_all_cores);
  } catch (const unnamed_fault& first) {
    const auto* const launch = dynamic_cast<const kernel_work*>(&work);
    if (launch && launch->has_threads() && !leaves_access_violations())
      if (const std::optional<thread_fault> named = name_thread(*launch, first.fault())) throw describe_fault(*named);
    throw kernel_fault(first);
  }
}

}  // namespace gs::inline GS_FLAVOUR::detail
