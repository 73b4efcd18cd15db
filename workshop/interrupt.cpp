#include "workshop/interrupt.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <mutex>
#include <system_error>
#include <thread>

#include "runtime/core/error.h"
#include "workshop/private_folder.h"

namespace workshop {
namespace {

struct spoken {
  std::mutex mutex;
  std::function<std::string()> words;
};
spoken& last() {
  static auto* instance = new spoken;  // never destroyed: a signal may come while the program ends
  return *instance;
}

sigset_t ending_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&set, number);
  return set;
}

void wait_and_end() {
  const sigset_t set = ending_signals();
  int number = 0;
  if (sigwait(&set, &number) != 0) return;
  private_folder::remove_all();
  const bool clears_line = isatty(STDERR_FILENO) == 1;  // a progress bar may stand there
  {
    const std::scoped_lock lock(last().mutex);
    std::string text = clears_line ? "\r\033[K" : "";
    if (last().words) text += fmt::format("{}{}\n", clears_line ? "" : "\n", last().words());
    fmt::print(stderr, "{}", text);
  }
  signal(number, SIG_DFL);
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  raise(number);
}

}  // namespace

tidy_interrupts::tidy_interrupts() {
  const sigset_t set = ending_signals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  try {
    std::thread(wait_and_end).detach();
  } catch (const std::system_error& e) {
    throw gs::machine_error("wait for Ctrl-C", std::string("this machine starts no more threads (") + e.what() + ")",
                            "end other programs, or raise the limit (ulimit -u)");
  }
}

void tidy_interrupts::last_words(std::function<std::string()> words) {
  const std::scoped_lock lock(last().mutex);
  last().words = std::move(words);
}

}  // namespace workshop
