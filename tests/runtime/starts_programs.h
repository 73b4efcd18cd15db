#pragma once
// SKIP_UNLESS_PROGRAMS_START: for tests that start this program again, or another of this build. Under an emulator that
// isn't registered with the kernel, the kernel takes them for another processor's.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <string>

namespace runtime_test {

inline bool programs_start() {
#if defined(__x86_64__)
  return true;
#else
  static const bool it_starts = [] {
    const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
    const pid_t child = fork();
    if (child == 0) {
      dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), STDOUT_FILENO);
      execl(program.c_str(), program.c_str(), "--gtest_list_tests", nullptr);
      _exit(1);
    }
    int status = 1;
    return waitpid(child, &status, 0) == child && status == 0;
  }();
  return it_starts;
#endif
}

}  // namespace runtime_test

#define SKIP_UNLESS_PROGRAMS_START() \
  if (!runtime_test::programs_start()) GTEST_SKIP() << "no program of this processor can be started from here"
