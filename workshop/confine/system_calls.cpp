#include <asm/sockios.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <memory>
#include <string_view>

#include "workshop/confine/confine.h"

namespace confine {
namespace {

// By name: those that this kernel or processor doesn't have are skipped.
constexpr const char* always_refused[] = {
    // other processes
    "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "process_mrelease", "kcmp", "pidfd_getfd",
    "pidfd_send_signal",
    // namespaces and mounts
    "unshare", "setns", "mount", "umount2", "pivot_root", "chroot", "open_tree", "move_mount", "fsopen", "fsconfig",
    "fsmount", "fspick", "mount_setattr", "open_by_handle_at", "name_to_handle_at", "swapon", "swapoff", "quotactl",
    "quotactl_fd",
    // the kernel itself
    "bpf", "perf_event_open", "io_uring_setup", "io_uring_enter", "io_uring_register", "userfaultfd", "add_key",
    "request_key", "keyctl", "init_module", "finit_module", "delete_module", "kexec_load", "kexec_file_load", "reboot",
    "acct", "syslog", "personality", "iopl", "ioperm", "modify_ldt", "lookup_dcookie", "fanotify_init",
    // how others run
    "setpriority", "sched_setscheduler", "sched_setparam", "sched_setattr", "ioprio_set", "migrate_pages", "move_pages",
    // timers that send any signal, even SIGCONT, which would wake a stopped process
    "timer_create",
    // clocks
    "settimeofday", "clock_settime", "clock_adjtime", "adjtimex",
    // memory that no limit counts, and what outlives a process
    "memfd_secret", "shmget", "shmat", "shmctl", "semget", "semop", "semctl", "semtimedop", "msgget", "msgsnd",
    "msgrcv", "msgctl", "mq_open", "mq_unlink"};
// The network. What was open before stays open: the channel.
constexpr const char* sockets[] = {"socket", "socketpair", "connect", "bind", "listen", "accept", "accept4"};

class filter {
 public:
  explicit filter(std::uint32_t refusal) : rules_(seccomp_init(SCMP_ACT_ALLOW), &seccomp_release), refusal_(refusal) {
    if (!rules_) throw confine_error("filter system calls: no memory");
    // The processor's other interfaces, i386 and x32, number their calls differently: all are refused, none kills.
    check(seccomp_attr_set(rules_.get(), SCMP_FLTATR_ACT_BADARCH, refusal), "other architectures");
  }
  template <class... Comparison>
  void refuse(const char* name, Comparison... when) {
    add(refusal_, name, when...);
  }
  template <class... Comparison>
  void add(std::uint32_t action, const char* name, Comparison... when) {
    const int call = seccomp_syscall_resolve_name(name);
    if (call == __NR_SCMP_ERROR) return;
    const scmp_arg_cmp conditions[] = {scmp_arg_cmp{}, when...};
    check(seccomp_rule_add_array(rules_.get(), action, call, sizeof...(when), conditions + 1), name);
  }
  void load() { check(seccomp_load(rules_.get()), "load"); }

 private:
  static void check(int result, const char* step) {
    if (result == 0) return;
    errno = -result;
    fail(std::string("filter system calls: ") + step);
  }
  std::unique_ptr<void, void (*)(void*)> rules_;
  std::uint32_t refusal_;
};

constexpr std::uint64_t low_half = 0xffffffff;

// A new process, not a thread. clone3's flags are in memory, where no filter can look: it is reported as missing, and
// the C library falls back to clone.
void refuse_processes(filter& f) {
  f.add(SCMP_ACT_ERRNO(ENOSYS), "clone3");
  f.refuse("fork");
  f.refuse("vfork");
  f.refuse("clone", SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0));
}

// Signals to other processes; this one keeps its number when it becomes another program. fcntl and ioctl can have a
// file's readiness signalled to any process, by any signal.
void refuse_signals(filter& f) {
  const auto self = static_cast<scmp_datum_t>(getpid());
  for (const char* name : {"kill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo"})
    f.refuse(name, SCMP_A0_32(SCMP_CMP_NE, self));
  f.refuse("tkill");
  for (const scmp_datum_t command : {F_SETOWN, F_SETOWN_EX, F_SETSIG})
    f.refuse("fcntl", SCMP_A1_32(SCMP_CMP_EQ, command));
  for (const scmp_datum_t request : {FIOSETOWN, SIOCSPGRP}) f.refuse("ioctl", SCMP_A1_32(SCMP_CMP_EQ, request));
  f.refuse("prctl", SCMP_A0_32(SCMP_CMP_EQ, PR_SET_PDEATHSIG));  // also: it dies with its parent
  // A process that woke itself when stopped could change an answer while it is checked.
  f.refuse("kill", SCMP_A1_32(SCMP_CMP_EQ, SIGCONT));
  f.refuse("tgkill", SCMP_A2_32(SCMP_CMP_EQ, SIGCONT));
  f.refuse("rt_sigqueueinfo", SCMP_A1_32(SCMP_CMP_EQ, SIGCONT));
  f.refuse("rt_tgsigqueueinfo", SCMP_A2_32(SCMP_CMP_EQ, SIGCONT));
}

// What makes other processes wait for a file: a lease blocks a writer, such as a linker, for 45 s.
void refuse_holding_files(filter& f, bool may_lock) {
  for (const scmp_datum_t command : {F_SETLEASE, F_NOTIFY}) f.refuse("fcntl", SCMP_A1_32(SCMP_CMP_EQ, command));
  if (may_lock) return;
  for (const scmp_datum_t command : {F_SETLK, F_SETLKW, F_OFD_SETLK, F_OFD_SETLKW})
    f.refuse("fcntl", SCMP_A1_32(SCMP_CMP_EQ, command));
  f.refuse("flock");
}

}  // namespace

void restrict_system_calls(const options& o) {
  filter f(o.report_calls ? SCMP_ACT_TRAP : SCMP_ACT_ERRNO(EPERM));
  for (const char* name : always_refused) f.refuse(name);
  if (o.gpu) {  // the parts of its driver talk to each other
    for (const char* name : {"socket", "socketpair"}) f.refuse(name, SCMP_A0_32(SCMP_CMP_NE, AF_UNIX));
  } else {
    for (const char* name : sockets) f.refuse(name);
    f.refuse("memfd_create");
  }
  f.refuse("prlimit64", SCMP_A0_32(SCMP_CMP_NE, 0));
  // Landlock leaves other processes' numbers visible: their affinity must stay theirs. The runtime also sets its own
  // threads', and can do without.
  if (o.landlock) f.add(SCMP_ACT_ERRNO(EPERM), "sched_setaffinity", SCMP_A0_32(SCMP_CMP_NE, 0));
  // A terminal accepts input from any process that has it open.
  f.refuse("ioctl", SCMP_A1(SCMP_CMP_MASKED_EQ, low_half, TIOCSTI));
  f.refuse("ioctl", SCMP_A1(SCMP_CMP_MASKED_EQ, low_half, TIOCLINUX));
  refuse_holding_files(f, o.may_fork || o.gpu);
  if (!o.may_fork) {
    refuse_processes(f);
    refuse_signals(f);
  } else {
    // A new namespace would be a way around the rest.
    for (const std::uint64_t space : {CLONE_NEWUSER, CLONE_NEWNS, CLONE_NEWPID, CLONE_NEWNET})
      f.refuse("clone", SCMP_A0(SCMP_CMP_MASKED_EQ, space, space));
    f.add(SCMP_ACT_ERRNO(ENOSYS), "clone3");
  }
  f.load();
}

}  // namespace confine
