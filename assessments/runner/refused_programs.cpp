// The C library's ways to start a program. A submission finds these before those: it is refused where it calls them, by
// its line. The library's own block every signal first, so that the refusal would end the process without a word.

#include <errno.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace {

// Refused by the filter of system calls, which the crash handler reports; or else with errno.
int start_a_program() { return static_cast<int>(syscall(SYS_execve, nullptr, nullptr, nullptr)); }

}  // namespace

extern "C" {

int system(const char*) { return start_a_program(); }

FILE* popen(const char*, const char*) {
  start_a_program();
  return nullptr;
}

int posix_spawn(pid_t*, const char*, const posix_spawn_file_actions_t*, const posix_spawnattr_t*, char* const*,
                char* const*) {
  start_a_program();
  return errno;
}

int posix_spawnp(pid_t*, const char*, const posix_spawn_file_actions_t*, const posix_spawnattr_t*, char* const*,
                 char* const*) {
  start_a_program();
  return errno;
}

}  // extern "C"
