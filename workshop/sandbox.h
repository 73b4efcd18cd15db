#pragma once
// sandbox: where a learner's program is compiled and run, without network, with only a small /tmp to write to, and
// seeing nothing but what it needs.

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

/// The strongest level that works here; found by trying them, once per process.
isolation strongest_isolation();
/// Whether a level works here: tried once, with a program that must not be able to read a witness file.
bool works(isolation level);

/// Whether this process can give files to other users and become them: as root with all of root's privileges.
bool can_become_others();
/// The user (and group) that a slot's confined programs then run as. It is reserved for this process until it ends, so
/// that programs of other processes don't share its limits and files. Throws gs::machine_error if none is free.
unsigned sandbox_user(unsigned slot);

struct confinement {
  std::vector<std::filesystem::path> readable;  ///< beyond the system's own folders (/usr, /lib, ...)
  std::filesystem::path writable;               ///< one of the caller's folders, at the same path inside; empty: none
  double processor_seconds = 60;
  std::uint64_t memory_bytes = std::uint64_t{4} << 30;  ///< private writable memory of one process
  /// Address space of one process, 0: unlimited. It bounds the kernel's page tables, which memory_bytes doesn't count:
  /// a 512th of what is mapped, even if it is only read.
  std::uint64_t address_bytes = 0;
  std::uint64_t scratch_bytes = 64 << 20;  ///< size of the private /tmp, and of any single file
  unsigned processes = 64;                 ///< processes and threads at a time
  bool may_fork = false;                   ///< a compiler needs to; learners' programs may only start threads
  /// Lets it see the GPU's device files, and its driver create local sockets and shared memory. A refused system call
  /// then returns an error instead of ending the program, since the driver tries some of them.
  bool gpu = false;
};

/// The device files of this machine's NVIDIA GPUs; none where there is no GPU.
std::vector<std::string> gpu_devices();

/// The command line that runs `command` so confined. Only this process can start it, and the program is killed with it.
/// As root, privileges are dropped first: to the slot's own user, so that slots don't share a process limit.
std::vector<std::string> confined(isolation level, const confinement& c, const std::vector<std::string>& command,
                                  unsigned slot = 0);

}  // namespace workshop
