#include "runtime/world/task_worker.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iostream>
#include <memory>
#include <system_error>

#include "runtime/core/error.h"
#include "runtime/host/core_share.h"
#include "runtime/world/task_function.h"

namespace gs::inline GS_FLAVOUR::detail {
namespace {

// What goes over the socket, whole or not at all; the bytes of which it speaks lie in the shared memory.
struct worker_note {
  enum class kind : std::uint32_t { task, outcome, fork_another };
  kind is;
  task_outcome::kind outcome;
  int status;  // of a worker that died, as waitpid gives it
  std::uint64_t bytes;
  core_share cores;
};

bool in_worker = false;

bool send_note(int socket, const worker_note& note) {
  return send(socket, &note, sizeof note, MSG_NOSIGNAL) == static_cast<ssize_t>(sizeof note);
}
// False when the other side has ended.
bool receive_note(int socket, worker_note& note) {
  ssize_t n = 0;
  do n = recv(socket, &note, sizeof note, 0);
  while (n < 0 && errno == EINTR);
  return n == static_cast<ssize_t>(sizeof note);
}

void flush_output() {
  std::cout.flush();
  std::fflush(nullptr);
}

std::string ending_text(int status) {
  if (WIFSIGNALED(status)) return fmt::format("signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
  return fmt::format("exit status {}", WEXITSTATUS(status));
}

// --- in the worker ---------------------------------------------------------------------------------------------------

task_outcome run_packed(std::span<const unsigned char> task) {
  std::size_t length = 0;
  std::memcpy(&length, task.data(), sizeof length);
  const auto identity = task.subspan(sizeof length, length);
  const std::string name(identity.begin(), identity.end());
  const task_function* const function = task_function::find(name);
  if (!function) return {task_outcome::kind::unknown};
  try {
    task_outcome done{task_outcome::kind::value, (*function)(task.subspan(sizeof length + length))};
    if (done.bytes.size() <= task_worker::most_bytes) return done;
    return task_outcome::of_text(task_outcome::kind::threw, fmt::format("its result has {} bytes, more than {}",
                                                                        done.bytes.size(), task_worker::most_bytes));
  } catch (const std::exception& e) {
    return task_outcome::of_text(task_outcome::kind::threw,
                                 std::string_view(e.what()).substr(0, task_worker::most_bytes));
  } catch (...) {
    return task_outcome::of_text(task_outcome::kind::threw, "something that is no std::exception");
  }
}

[[noreturn]] void work(int socket, unsigned char* memory) {
  in_worker = true;
  bool has_cores = false;
  for (worker_note note{}; receive_note(socket, note);) {
    if (note.is != worker_note::kind::task) continue;
    if (!has_cores && note.cores.processes > 1) set_core_share(note.cores);
    has_cores = true;
    const task_outcome done = run_packed({memory, note.bytes});
    flush_output();
    if (!done.bytes.empty()) std::memcpy(memory, done.bytes.data(), done.bytes.size());
    send_note(socket, {worker_note::kind::outcome, done.is, 0, done.bytes.size(), {}});
  }
  _exit(0);
}

// --- in the keeper, the process that forks workers -------------------------------------------------------------------

void on_end_of_child(int) {}  // ppoll ends with it

// Waits for the worker's end; when the rank ends first, both do.
int wait_for_worker(pid_t worker, int socket) {
  sigset_t none;
  sigemptyset(&none);
  int status = 0;
  while (waitpid(worker, &status, WNOHANG) == 0) {
    pollfd rank{socket, 0, 0};
    if (ppoll(&rank, 1, nullptr, &none) <= 0) continue;
    kill(worker, SIGKILL);
    waitpid(worker, &status, 0);
    _exit(0);
  }
  return status;
}

[[noreturn]] void keep_workers(int socket, unsigned char* memory) {
  const pid_t keeper = getpid();
  sigset_t end_of_child, before;
  sigemptyset(&end_of_child);
  sigaddset(&end_of_child, SIGCHLD);
  sigprocmask(SIG_BLOCK, &end_of_child, &before);
  for (;;) {
    std::signal(SIGCHLD, on_end_of_child);
    const pid_t worker = fork();
    if (worker < 0) _exit(1);
    if (worker == 0) {
      std::signal(SIGCHLD, SIG_DFL);
      sigprocmask(SIG_SETMASK, &before, nullptr);
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (getppid() != keeper) _exit(1);
      work(socket, memory);
    }
    const int status = wait_for_worker(worker, socket);
    send_note(socket, {worker_note::kind::outcome, task_outcome::kind::died, status, 0, {}});
    // What was sent to the dead one is dropped, until the rank knows of its death.
    worker_note note{};
    do
      if (!receive_note(socket, note)) _exit(0);
    while (note.is != worker_note::kind::fork_another);
  }
}

std::unique_ptr<task_worker>& own_task_worker() {
  static auto& worker = *new std::unique_ptr<task_worker>;
  return worker;
}
std::uint64_t functions_of_worker = 0;

machine_error no_process(const std::string& call) {
  return {"a process for tasks", call + ": " + std::system_category().message(errno),
          "end other programs, or allow this one more processes and memory (ulimit -a)"};
}

}  // namespace

task_outcome task_outcome::of_text(kind is, std::string_view text) { return {is, {text.begin(), text.end()}}; }

task_bytes packed_task(const std::string& identity, std::span<const unsigned char> arguments) {
  task_bytes task;
  const std::size_t length = identity.size();
  task.reserve(sizeof length + length + arguments.size());
  pack_bytes(task, &length, sizeof length);
  pack_bytes(task, identity.data(), length);
  pack_bytes(task, arguments.data(), arguments.size());
  return task;
}

task_worker::task_worker() {
  void* const shared =
      mmap(nullptr, most_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (shared == MAP_FAILED) throw no_process("mmap");
  memory_ = static_cast<unsigned char*>(shared);
  int ends[2] = {-1, -1};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
    munmap(memory_, most_bytes);
    throw no_process("socketpair");
  }
  socket_ = descriptor(ends[0]);
  const descriptor others(ends[1]);
  flush_output();  // or both processes would print what waits in buffers
  keeper_ = fork();
  if (keeper_ == 0) {
    socket_.close();
    keep_workers(others.number(), memory_);
  }
  if (keeper_ < 0) {
    munmap(memory_, most_bytes);
    throw no_process("fork");
  }
}

task_worker::~task_worker() {
  socket_.close();  // the keeper and its worker end with it
  waitpid(keeper_, nullptr, 0);
  munmap(memory_, most_bytes);
}

// A worker that died without a task, killed by somebody, is no failure of the next one.
void task_worker::forget_the_dead() {
  pollfd from{socket_.number(), POLLIN, 0};
  worker_note note{};
  while (!lost_ && poll(&from, 1, 0) > 0) {
    lost_ = !receive_note(socket_.number(), note);
    if (!lost_) send_note(socket_.number(), {worker_note::kind::fork_another, {}, 0, 0, {}});
  }
}

void task_worker::begin(std::span<const unsigned char> task) {
  forget_the_dead();
  runs_ = true;
  std::memcpy(memory_, task.data(), task.size());
  if (!send_note(socket_.number(), {worker_note::kind::task, {}, 0, task.size(), this_core_share()})) lost_ = true;
}

std::optional<task_outcome> task_worker::look(int milliseconds) {
  pollfd from{socket_.number(), POLLIN, 0};
  if (!lost_) {
    int ready = 0;
    do ready = poll(&from, 1, milliseconds);
    while (ready < 0 && errno == EINTR && milliseconds < 0);
    if (ready <= 0) return std::nullopt;
  }
  worker_note note{};
  if (lost_ || !receive_note(socket_.number(), note)) {
    lost_ = true, runs_ = false;
    return task_outcome::of_text(task_outcome::kind::no_worker, "the process that forks its workers has ended");
  }
  if (note.outcome == task_outcome::kind::died)
    send_note(socket_.number(), {worker_note::kind::fork_another, {}, 0, 0, {}});
  if (!std::exchange(runs_, false)) return std::nullopt;
  if (note.outcome == task_outcome::kind::died)
    return task_outcome::of_text(task_outcome::kind::died, ending_text(note.status));
  return task_outcome{note.outcome, {memory_, memory_ + note.bytes}};
}

task_worker* task_worker::of_this_process() { return own_task_worker().get(); }

void task_worker::prepare() {
  if (functions_of_worker == task_function::changes()) return;
  functions_of_worker = task_function::changes();
  own_task_worker().reset();  // first: a new one must not hold the old one's socket
  own_task_worker() = std::make_unique<task_worker>();
}

bool task_worker::is_this_process() { return in_worker; }

}  // namespace gs::inline GS_FLAVOUR::detail
