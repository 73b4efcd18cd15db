#pragma once
// What gridstride-confine does to itself before it becomes the program it was given, one step a file. Each step throws
// confine_error if it can't be done: a program that isn't confined as it was asked for doesn't start.

#include <sys/resource.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace confine {

/// "step that failed: the system's message".
struct confine_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};
/// Throws a confine_error with errno's message.
[[noreturn]] void fail(const std::string& step);

/// The command line, read.
struct options {
  std::vector<std::string> readable, writable;  ///< files and folders, at the same place inside
  std::vector<std::string> devices;             ///< device files
  std::vector<std::pair<int, rlim_t>> limits;   ///< RLIMIT_..., value
  std::vector<std::pair<std::string, std::string>> environment;
  std::string directory = "/";
  bool new_root = false;            ///< a file system of its own: only what is readable, and an empty /tmp
  std::uint64_t scratch_bytes = 0;  ///< size of that /tmp
  bool landlock = false;
  bool own_users = false;  ///< a user namespace of its own
  bool drop_root = false;
  unsigned user = 0;          ///< and group, with drop_root
  bool may_fork = false;      ///< may start processes, not only threads
  bool report_calls = false;  ///< a refused system call is the signal SIGSYS, not an error
  bool gpu = false;           ///< GPU drivers need some of the refused calls
  std::vector<std::string> command;
};

/// From now on this process is killed when its parent ends, that is, the thread that started it. Becoming another user
/// undoes this, and new processes don't inherit it.
void die_with_parent();
/// Builds a root file system of what is readable and writable, and moves there. Needs a mount namespace of its own.
void enter_new_root(const options& o);
/// In a new process namespace the first process is special: signals that would end other processes don't end it. The
/// program becomes the second one; the first waits for it, reaps its orphans, and ends with its status.
void leave_first_process();
/// Moves to a user namespace of its own, as the same user. Where the sandbox's first process runs as that user, too,
/// this keeps its memory out of reach: a program that could write there would escape every restriction here (ptrace(2),
/// "access mode checking").
void enter_own_users();
/// Becomes another user with no groups and no capabilities. Where that user can't reach what is readable (a folder
/// above it is closed) and there is no new root, it keeps the capability to read any file: Landlock, if asked for,
/// still holds.
void drop_privileges(const options& o);
/// Restricts files to what is readable and writable, and forbids TCP and signals altogether (landlock(7)).
void restrict_files(const options& o);
void set_limits(const options& o);
/// Refuses system calls that neither a compiler nor a learner's program needs (seccomp(2)).
void restrict_system_calls(const options& o);

}  // namespace confine
