#include "workshop/crash_place.h"

#include <fmt/format.h>
#include <string.h>
#include <sys/syscall.h>

#include <cctype>
#include <charconv>
#include <map>
#include <string_view>

#include "workshop/inside/refused_call.h"
#include "workshop/process.h"

namespace workshop {
namespace {

// "/tmp/gridstride-a1B2c3/my_layer.cpp:12 (discriminator 3)"
gs::source_place place_in(std::string_view line) {
  line = line.substr(0, line.find(" ("));
  const std::size_t colon = line.rfind(':');
  if (colon == line.npos) return {};
  gs::source_place place{std::string(line.substr(0, colon)), 0, 0};
  std::from_chars(line.data() + colon + 1, line.data() + line.size(), place.line);
  return place;
}

}  // namespace

gs::source_place crash_place(const std::filesystem::path& module, std::span<const std::uint64_t> frames,
                             isolation level, unsigned slot) {
  std::vector<std::uint64_t> known;
  for (const std::uint64_t frame : frames)
    if (frame != 0) known.push_back(frame);
  if (known.empty()) return {};
  const std::string text = lines_of_code(module, known, level, slot);
  // The source was compiled in the module's folder; headers and the project's own code are elsewhere.
  const std::string folder = module.parent_path().string() + "/";
  std::string_view left = text;
  while (!left.empty()) {
    const std::size_t end = std::min(left.find('\n'), left.size());
    gs::source_place place = place_in(left.substr(0, end));
    left.remove_prefix(std::min(end + 1, left.size()));
    if (place.line == 0 || !place.file.starts_with(folder)) continue;
    place.file.erase(0, folder.size());
    return place;
  }
  return {};
}

std::string lines_of_code(const std::filesystem::path& module, std::span<const std::uint64_t> offsets, isolation level,
                          unsigned slot) {
  std::vector<std::string> command = {"addr2line", "-a", "-i", "-f", "--exe=" + module.string()};
  for (const std::uint64_t offset : offsets) command.push_back(fmt::format("{:#x}", offset));
  confinement c;
  c.readable = {module};
  c.processor_seconds = 20;
  return run_program({.command = confined(level, c, command, slot), .output_bytes = 16 << 20}, 20).output;
}

std::string signal_name(int signal) {
  const char* text = sigdescr_np(signal);
  if (!text) return fmt::format("signal {}", signal);
  std::string name = text;
  name[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(name[0])));
  return name;
}

std::string purpose_of_call(std::uint64_t call) {
  static const std::map<std::uint64_t, const char*> purposes = {
#if defined(SYS_fork)
      {SYS_fork, "start another process"},
      {SYS_vfork, "start another process"},
#endif
      {SYS_clone, "start another process"},
      {SYS_execve, "start another program"},
      {SYS_execveat, "start another program"},
      {SYS_socket, "open a socket"},
      {SYS_socketpair, "open a socket"},
      {SYS_connect, "open a connection"},
      {SYS_bind, "open a socket"},
      {SYS_listen, "open a socket"},
      {SYS_accept, "open a connection"},
      {SYS_accept4, "open a connection"},
      {SYS_kill, "send a signal to another process"},
      {SYS_tkill, "send a signal to another process"},
      {SYS_tgkill, "send a signal to another process"},
      {SYS_rt_sigqueueinfo, "send a signal to another process"},
      {SYS_rt_tgsigqueueinfo, "send a signal to another process"},
      {SYS_pidfd_send_signal, "send a signal to another process"},
      {SYS_ptrace, "look into another process"},
      {SYS_process_vm_readv, "look into another process"},
      {SYS_process_vm_writev, "change another process's memory"},
      {SYS_memfd_create, "make memory that no limit counts"},
      {SYS_shmget, "make memory that outlives it"},
      {SYS_mount, "change what files there are"},
      {SYS_unshare, "leave its sandbox"},
      {SYS_setns, "leave its sandbox"},
      {SYS_chroot, "leave its sandbox"},
      {SYS_bpf, "load a program into the kernel"},
      {SYS_perf_event_open, "watch the processor"},
      {SYS_io_uring_setup, "go around the filter of system calls"},
      {SYS_clock_settime, "set the clock"},
      {SYS_timer_create, "have a timer that could wake it when it is stopped"},
      {SYS_fcntl, "have signals sent, or keep files from others"},
      {SYS_flock, "keep files from others"},
      {SYS_setpriority, "change how fast others run"},
      {SYS_sched_setscheduler, "change how fast others run"},
      {SYS_sched_setattr, "change how fast others run"},
      {SYS_prlimit64, "change others' limits"},
      {SYS_settimeofday, "set the clock"},
  };
  if (call & call_of_other_architecture) return "make a system call of another architecture (i386 or x32)";
  const auto found = purposes.find(call);
  return found == purposes.end() ? fmt::format("use system call {}", call) : found->second;
}

}  // namespace workshop
