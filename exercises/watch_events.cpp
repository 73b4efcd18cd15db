#include "exercises/watch_events.h"

#include <signal.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

#include "runtime/core/error.h"

namespace exercises {
namespace {

constexpr std::uint32_t changes_of_files = IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE;
constexpr std::uint32_t end_of_folder = IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT | IN_IGNORED;

std::string reason() { return std::system_category().message(errno); }

[[noreturn]] void refuse(const std::string& cause) {
  throw gs::machine_error("watching your files", cause, "check by hand: ./gridstride check");
}

sigset_t ending_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&set, number);
  return set;
}

}  // namespace

watch_events::watch_events(const std::filesystem::path& folder)
    : epoll_(epoll_create1(EPOLL_CLOEXEC)), changes_(inotify_init1(IN_CLOEXEC | IN_NONBLOCK)) {
  if (!epoll_.open() || !changes_.open()) refuse(reason());
  if (inotify_add_watch(changes_.number(), folder.c_str(), changes_of_files | end_of_folder | IN_ONLYDIR) < 0) {
    if (errno == ENOSPC) refuse("this machine watches too many folders already");
    throw gs::error("watching " + folder.string(), reason(), "make it a folder that you can read");
  }
  const sigset_t set = ending_signals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  signals_ = gs::detail::descriptor(signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!signals_.open()) refuse(reason());
  for (const int number : {changes_.number(), signals_.number(), STDIN_FILENO}) {
    epoll_event e{.events = EPOLLIN, .data = {.fd = number}};
    if (epoll_ctl(epoll_.number(), EPOLL_CTL_ADD, number, &e) == 0) continue;
    if (number != STDIN_FILENO) refuse(reason());
    take_keys();  // a file, which is always readable
    input_ended_ = true;
  }
  termios settings;
  if (isatty(STDIN_FILENO) && tcgetattr(STDIN_FILENO, &settings) == 0) {
    terminal_before_ = settings;
    settings.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    tcsetattr(STDIN_FILENO, TCSANOW, &settings);
  }
}

watch_events::~watch_events() {
  if (terminal_before_) tcsetattr(STDIN_FILENO, TCSANOW, &*terminal_before_);
}

void watch_events::wait(int milliseconds) {
  std::array<epoll_event, 3> events;
  const int count = epoll_wait(epoll_.number(), events.data(), static_cast<int>(events.size()), milliseconds);
  for (int k = 0; k < count; ++k) {
    const int from = events[static_cast<std::size_t>(k)].data.fd;
    if (from == changes_.number()) take_changes();
    if (from == signals_.number()) take_signal();
    if (from == STDIN_FILENO) take_keys();
  }
}

void watch_events::take_changes() {
  alignas(inotify_event) std::array<char, 1 << 14> piece;
  ssize_t n = 0;
  while ((n = read(changes_.number(), piece.data(), piece.size())) > 0)
    for (const char* at = piece.data(); at < piece.data() + n;) {
      const auto* e = reinterpret_cast<const inotify_event*>(at);
      if (e->mask & end_of_folder) folder_gone_ = true;
      if ((e->mask & IN_Q_OVERFLOW) || (e->len > 0 && counts_(e->name))) saved_ = true;
      at += sizeof *e + e->len;
    }
}

void watch_events::take_keys() {
  std::array<char, 256> piece;
  const ssize_t n = read(STDIN_FILENO, piece.data(), piece.size());
  if (n > 0) {
    keys_.append(piece.data(), static_cast<std::size_t>(n));
    return;
  }
  if (n < 0 && (errno == EINTR || errno == EAGAIN)) return;
  input_ended_ = true;
  epoll_ctl(epoll_.number(), EPOLL_CTL_DEL, STDIN_FILENO, nullptr);
}

void watch_events::take_signal() {
  signalfd_siginfo received;
  if (read(signals_.number(), &received, sizeof received) == sizeof received) asked_to_end_ = true;
}

std::optional<char> watch_events::take_key() {
  if (keys_.empty()) return {};
  const char key = keys_.front();
  keys_.erase(0, 1);
  return key;
}

}  // namespace exercises
