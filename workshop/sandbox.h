#pragma once
// Where a learner's program is compiled and run: no network, nothing to write but a small /tmp, and no view of anything
// but what it needs.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace workshop {

/// From the strongest to none. assessments/README.md says what each one stops.
enum class isolation {
  bubblewrap,  ///< bwrap: namespaces, a file system of its own
  namespaces,  ///< the same by unshare, where bwrap is missing
  landlock,    ///< no namespaces: Landlock's file rules, a system call filter and limits
  limits,      ///< limits alone: "not isolated"
};
std::string to_string(isolation level);  ///< "bubblewrap", ..., "not isolated"

/// The strongest level that works here; found by trying it, once per process.
isolation strongest_isolation();
/// Whether a level works here: it is tried with a program that must not see this file system's root as it is.
bool works(isolation level);

/// Whether this process can hand files to other users and become them: root, where nothing has been taken from it.
bool can_become_others();
/// Then confined programs of a slot run as the user (and group) of this number. It is this process's own until it ends:
/// what its programs use up or leave behind is nothing to those of another process. Throws gs::machine_error where
/// none can be had.
unsigned sandbox_user(unsigned slot);

struct confinement {
  std::vector<std::filesystem::path> readable;  ///< beyond the system's own folders (/usr, /lib, ...)
  std::filesystem::path writable;               ///< one folder of the caller's, at the same place inside; empty: none
  double processor_seconds = 60;
  std::uint64_t memory_bytes = std::uint64_t{4} << 30;  ///< private writable memory of one process
  /// Of one process, 0: any. Of what is only read, memory limits don't count the kernel's tables: a 512th.
  std::uint64_t address_bytes = 0;
  std::uint64_t scratch_bytes = 64 << 20;  ///< size of the private /tmp, and of any one file
  unsigned processes = 64;                 ///< processes and threads at a time
  bool may_fork = false;                   ///< a compiler must, others must not (threads are always allowed)
  /// Lets it see the GPU's device files, and its driver make local sockets and shared memory; what is refused then
  /// fails instead of ending the program, because the driver tries some of it.
  bool gpu = false;
};

/// The device files of this machine's NVIDIA GPUs; none where there is no GPU.
std::vector<std::string> gpu_devices();

/// The command that runs `command` so confined; for this process alone, with which it is killed. As root, privileges
/// are dropped first: to the slot's own user, so that the processes of one don't count for another.
std::vector<std::string> confined(isolation level, const confinement& c, const std::vector<std::string>& command,
                                  unsigned slot = 0);

}  // namespace workshop
