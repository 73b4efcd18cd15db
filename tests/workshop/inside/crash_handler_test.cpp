// The report of a program that a signal ends, tried in child processes of this one.

#include "workshop/inside/crash_handler.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace crash_handler_test {

using testing::ExitedWithCode;

void say(std::string_view text) {
  if (write(STDERR_FILENO, text.data(), text.size()) < 0) std::abort();
}

constexpr std::array signals = {SIGSEGV, SIGABRT, SIGFPE, SIGUSR1};

void own_function() {}
const void* this_code() { return reinterpret_cast<const void*>(&own_function); }

void report(const workshop::crash& crash) {
  char text[100];
  const bool is_ours = !crash.frames.empty() && crash.frames.size() <= 32 && crash.frames[0] != 0;
  std::snprintf(text, sizeof text, "signal %d, %s frames, at %p", crash.signal, is_ours ? "our" : "no",
                crash.signal == SIGSEGV ? crash.info.si_addr : nullptr);
  say(text);
}

void read_nowhere() {
  const volatile int* volatile nowhere = reinterpret_cast<const int*>(0x10);
  (void)*nowhere;
}

TEST(crash_handler_death_test, tells_signal_address_and_frames) {
  EXPECT_EXIT(
      {
        workshop::install({.signals = signals, .report = &report});
        workshop::tell_crashes_of(this_code());
        read_nowhere();
      },
      ExitedWithCode(128 + SIGSEGV), "signal 11, our frames, at 0x10");
  EXPECT_EXIT(
      {
        workshop::install({.signals = signals, .report = &report});
        workshop::tell_crashes_of(this_code());
        std::abort();
      },
      ExitedWithCode(128 + SIGABRT), "signal 6, our frames");
}

TEST(crash_handler_death_test, names_no_code_before_it_was_told_of_any) {
  EXPECT_EXIT(
      {
        workshop::install({.signals = signals, .report = &report});
        read_nowhere();
      },
      ExitedWithCode(128 + SIGSEGV), "signal 11, no frames, at 0x10");
}

TEST(crash_handler_death_test, a_report_that_crashes_is_asked_once_more) {
  EXPECT_EXIT(
      {
        workshop::install({.signals = signals, .report = [](const workshop::crash& crash) {
                             say(crash.signal == SIGFPE ? "[asked]" : "[other]");
                             read_nowhere();
                           }});
        raise(SIGFPE);
      },
      ExitedWithCode(128 + SIGFPE), "^\\[asked\\]\\[asked\\]$");
}

TEST(crash_handler_death_test, a_signal_that_concerns_another_is_none) {
  EXPECT_EXIT(
      {
        workshop::install(
            {.signals = signals, .report = &report, .concerns_another = [](int signal) { return signal == SIGUSR1; }});
        raise(SIGUSR1);
        say("went on");
        _exit(3);
      },
      ExitedWithCode(3), "^went on$");
}

}  // namespace crash_handler_test
