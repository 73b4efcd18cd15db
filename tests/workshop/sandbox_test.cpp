// Each level of isolation: what a program in it can't see and do. A level that this machine doesn't have is skipped.

#include "workshop/sandbox.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <thread>

#include "runtime/host/descriptor.h"
#include "workshop/build_parts.h"
#include "workshop/private_folder.h"
#include "workshop/process.h"

namespace sandbox_test {

using workshop::confinement;
using workshop::isolation;
using workshop::program_result;

std::string output_of(const program_result& r) { return "status " + std::to_string(r.status) + ": " + r.output; }

class sandbox : public testing::TestWithParam<isolation> {
 protected:
  void SetUp() override {
    if (!works(level())) GTEST_SKIP() << to_string(level()) << " doesn't work on this machine";
  }
  isolation level() const { return GetParam(); }
  bool has_files_of_its_own() const { return level() == isolation::bubblewrap || level() == isolation::namespaces; }
  program_result run(const std::vector<std::string>& command, confinement c = {}, double seconds = 20) const {
    return workshop::run_program({.command = workshop::confined(level(), c, command)}, seconds);
  }
  program_result shell(const std::string& script, confinement c = {}) const { return run({"sh", "-c", script}, c); }
};

constexpr int refused_call = 128 + SIGSYS;

TEST_P(sandbox, runs_programs_of_the_system) {
  const program_result result = run({"echo", "here"});
  EXPECT_EQ(result.output, "here\n");
  EXPECT_EQ(result.status, 0);
}

// A checkout in root's home: the user that root becomes may read the permitted paths, and no others.
TEST_P(sandbox, reads_what_it_may_below_a_closed_folder) {
  const workshop::private_folder folder;
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0700));
  std::ofstream(folder.path() / "seen") << "yes\n";
  confinement c;
  c.readable = {folder.path() / "seen"};
  EXPECT_EQ(output_of(run({"cat", (folder.path() / "seen").string()}, c)), "status 0: yes\n");
  if (level() == isolation::limits && !workshop::can_become_others()) return;  // the file is its own
  EXPECT_NE(run({"sh", "-c", "echo no > " + (folder.path() / "seen").string()}, c).status, 0);
}

TEST_P(sandbox, shows_no_file_but_the_systems_and_what_is_asked_for) {
  if (level() == isolation::limits) GTEST_SKIP() << "limits alone hide nothing";
  const workshop::private_folder folder;
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0755));
  std::ofstream(folder.path() / "seen") << "yes\n";
  std::ofstream(folder.path() / "unseen") << "no\n";
  confinement c;
  c.readable = {folder.path() / "seen"};
  EXPECT_EQ(output_of(run({"cat", (folder.path() / "seen").string()}, c)), "status 0: yes\n");
  EXPECT_NE(run({"cat", (folder.path() / "unseen").string()}, c).status, 0);
  for (const std::string file : {"/etc/shadow", "/etc/passwd", __FILE__})
    EXPECT_NE(run({"cat", file}, c).status, 0) << file;
  // Folders on the way to this build's programs are there; nothing else in them is.
  const std::string programs = workshop::confine_program().string();
  const char* home = std::getenv("HOME");
  for (const std::filesystem::path place : {home ? home : "/root", "/", "/home", "/var", "/etc", "/tmp"}) {
    if (!exists(place)) continue;  // a home, perhaps
    const std::string listing = "\n" + run({"ls", "-A", place.string()}, c).output;
    for (const auto& entry :
         std::filesystem::directory_iterator(place, std::filesystem::directory_options::skip_permission_denied)) {
      const std::string name = entry.path().filename().string();
      const std::set<std::string> of_the_system = {
          "usr",  "bin", "sbin", "lib",         "lib32",      "lib64",        "libx32",      "etc",
          "proc", "dev", "tmp",  "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "alternatives"};
      if (of_the_system.contains(name) || programs.starts_with(entry.path().string() + "/")) continue;
      if (folder.path() == entry.path()) continue;
      EXPECT_EQ(listing.find("\n" + name + "\n"), std::string::npos) << entry.path();
    }
  }
}

TEST_P(sandbox, writes_nowhere_but_where_it_may) {
  if (level() == isolation::limits) GTEST_SKIP() << "limits alone forbid no file";
  const workshop::private_folder folder, other;
  for (const auto* shared : {&folder, &other})
    std::filesystem::permissions(shared->path(), std::filesystem::perms(0777));
  std::ofstream(other.path() / "file") << "as it was\n";
  std::filesystem::permissions(other.path() / "file", std::filesystem::perms(0666));
  confinement c;
  c.writable = folder.path();
  c.readable = {other.path()};
  EXPECT_EQ(output_of(run({"touch", (folder.path() / "made").string()}, c)), "status 0: ");
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "made"));
  const std::vector<std::string> forbidden = {
      "/left",         "/usr/left", "/dev/left",           "/dev/shm/left",
      "/var/tmp/left", "/etc/left", other.path() / "left", other.path() / "file"};
  for (const std::string& file : forbidden) EXPECT_NE(run({"sh", "-c", "echo x >\"$0\"", file}, c).status, 0) << file;
  if (has_files_of_its_own()) {
    EXPECT_EQ(output_of(run({"touch", "/tmp/gridstride-left"})), "status 0: ");
    EXPECT_FALSE(std::filesystem::exists("/tmp/gridstride-left"));
  } else {
    EXPECT_NE(run({"touch", "/tmp/gridstride-left"}).status, 0);
  }
}

TEST_P(sandbox, opens_no_socket) {
  const program_result result = run({"bash", "-c", "exec 5<>/dev/tcp/127.0.0.1/80"});
  EXPECT_EQ(result.status, refused_call) << result.output;
  confinement compiler;
  compiler.may_fork = true;
  const program_result second_result = run({"bash", "-c", "exec 5<>/dev/tcp/127.0.0.1/80"}, compiler);
  EXPECT_NE(second_result.output.find("Operation not permitted"), std::string::npos) << output_of(second_result);
}

TEST_P(sandbox, starts_no_process) {
  EXPECT_EQ(shell("ls / & wait").status, refused_call);
  EXPECT_EQ(shell("echo $(echo x)").status, refused_call);
  confinement compiler;
  compiler.may_fork = true;
  EXPECT_EQ(shell("echo $(echo x)", compiler).output, "x\n");
}

TEST_P(sandbox, signals_nobody_else) {
  EXPECT_EQ(shell("kill -KILL $PPID").status, refused_call);
  EXPECT_EQ(shell("kill -KILL 1").status, refused_call);
  EXPECT_EQ(shell("kill -TERM $$").status, 128 + SIGTERM);
}

TEST_P(sandbox, has_no_privileges) {
  const program_result result = shell(
      "while read -r name rest; do case $name in Cap*|NoNewPrivs:|Seccomp:|Uid:) "
      "echo $name $rest;; esac; done </proc/self/status");
  for (const char* set : {"CapInh:", "CapPrm:", "CapEff:", "CapBnd:", "CapAmb:"}) {
    // Without files of its own: where root's user can't reach this checkout by itself, the right to read is left; and
    // an ordinary user has no say in what it never has.
    const bool may_be_left = (workshop::can_become_others()) != (std::string(set) == "CapBnd:");
    if (!has_files_of_its_own() && may_be_left) continue;
    // The bounding set of an ordinary user limits what it can never have: it gets no new privileges.
    if (!workshop::can_become_others() && std::string(set) == "CapBnd:") continue;
    EXPECT_NE(result.output.find(std::string(set) + " 0000000000000000"), std::string::npos) << result.output;
  }
  EXPECT_NE(result.output.find("NoNewPrivs: 1"), std::string::npos) << result.output;
  EXPECT_NE(result.output.find("Seccomp: 2"), std::string::npos) << result.output;
  if (workshop::can_become_others()) {
    const std::string user = std::to_string(workshop::sandbox_user(0));
    EXPECT_NE(result.output.find("Uid: " + user + " " + user), std::string::npos) << result.output;
  }
}

TEST_P(sandbox, gives_slots_users_of_their_own) {
  if (!workshop::can_become_others()) GTEST_SKIP() << "only root can become somebody else";
  EXPECT_EQ(workshop::run_program({.command = workshop::confined(level(), {}, {"id", "-u"}, 7)}, 20).output,
            std::to_string(workshop::sandbox_user(7)) + "\n");
  EXPECT_NE(workshop::sandbox_user(7), workshop::sandbox_user(0));
  EXPECT_EQ(workshop::sandbox_user(7), workshop::sandbox_user(7));
}

// The process that runs a program there, found by its words alone.
pid_t process_of(const std::vector<std::string>& words) {
  std::string command_line;
  for (const std::string& word : words) command_line += word + '\0';
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::ifstream file(entry.path() / "cmdline");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    if (text == command_line) return std::stoi(entry.path().filename());
  }
  return 0;
}

template <class F>
bool comes_true(F condition) {
  for (int k = 0; k < 500; ++k, std::this_thread::sleep_for(std::chrono::milliseconds(10)))
    if (condition()) return true;
  return false;
}

// One that stands still, in the middle of being checked, would stay for ever.
TEST_P(sandbox, dies_with_a_grader_that_is_killed) {
  static int nobody_else_sleeps_as_long = 20'000'000 + getpid();
  const std::vector<std::string> program = {"sleep", std::to_string(++nobody_else_sleeps_as_long)};
  const pid_t grader = fork();
  if (grader == 0) {
    run(program, {}, 60);
    _exit(0);
  }
  pid_t at_work = 0;
  EXPECT_TRUE(comes_true([&] { return (at_work = process_of(program)) != 0; }));
  if (at_work != 0) kill(at_work, SIGSTOP);
  kill(grader, SIGKILL);
  waitpid(grader, nullptr, 0);
  const bool is_gone = comes_true([&] { return process_of(program) == 0; });
  EXPECT_TRUE(is_gone) << "it is still there";
  if (!is_gone) kill(process_of(program), SIGKILL);
}

// As another grader does it.
TEST(sandbox_users, are_nobody_elses) {
  if (!workshop::can_become_others()) GTEST_SKIP() << "only root can become somebody else";
  const auto lock_of = [](unsigned user) {
    return gs::detail::descriptor(
        open(("/run/gridstride-users/" + std::to_string(user)).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  };
  const unsigned user = workshop::sandbox_user(2001);
  const gs::detail::descriptor lock = lock_of(user);
  if (!lock.open()) GTEST_SKIP() << "they are not in /run here";
  EXPECT_NE(flock(lock.number(), LOCK_EX | LOCK_NB), 0) << "another grader could have it as well";
  const gs::detail::descriptor next_lock = lock_of(user + 1);
  const bool free = flock(next_lock.number(), LOCK_EX | LOCK_NB) == 0;
  const unsigned next = workshop::sandbox_user(2002);
  EXPECT_NE(next, user);
  if (free) {
    EXPECT_NE(next, user + 1);
  }
}

TEST_P(sandbox, limits_memory) {
  confinement c;
  c.memory_bytes = 100 << 20;
  EXPECT_EQ(run({"dd", "if=/dev/zero", "of=/dev/null", "bs=20M", "count=1"}, c).status, 0);
  const program_result result = run({"dd", "if=/dev/zero", "of=/dev/null", "bs=200M", "count=1"}, c);
  EXPECT_NE(result.status, 0);
  EXPECT_NE(result.output.find("memory exhausted"), std::string::npos) << result.output;
}

TEST_P(sandbox, limits_processor_time) {
  confinement c;
  c.processor_seconds = 1;
  const program_result result = run({"sh", "-c", "while :; do :; done"}, c, 60);
  EXPECT_FALSE(result.timed_out);
  EXPECT_EQ(result.status, 128 + SIGXCPU) << result.output;
}

TEST_P(sandbox, limits_files) {
  if (level() == isolation::landlock) GTEST_SKIP() << "there is nowhere to write";
  confinement c;
  c.scratch_bytes = 8 << 20;
  const program_result result = shell("cd /tmp; exec dd if=/dev/zero of=gridstride-big-$$ bs=1M count=64", c);
  EXPECT_NE(result.status, 0) << result.output;
  // All files together, too.
  if (has_files_of_its_own()) {
    c.may_fork = true;
    const program_result several_files =
        shell("for k in 1 2 3 4; do dd if=/dev/zero of=/tmp/$k bs=1M count=3 || exit 9; done", c);
    EXPECT_EQ(several_files.status, 9) << several_files.output;
  } else {
    for (const auto& entry : std::filesystem::directory_iterator("/tmp"))
      if (entry.path().filename().string().starts_with("gridstride-big-")) {
        EXPECT_LE(std::filesystem::file_size(entry.path()), c.scratch_bytes);
        std::filesystem::remove(entry.path());
      }
  }
}

TEST_P(sandbox, limits_processes) {
  if (!has_files_of_its_own() && !workshop::can_become_others())
    GTEST_SKIP() << "the user's other programs would count";
  confinement c;
  c.may_fork = true;
  c.processes = 20;
  const program_result result = shell(
      "for k in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25; do "
      "sleep 3 & done",
      c);
  EXPECT_NE(result.output.find("Cannot fork"), std::string::npos) << output_of(result);
}

TEST_P(sandbox, leaves_no_process_behind) {
  if (level() == isolation::limits || level() == isolation::landlock)
    GTEST_SKIP() << "a program that may fork and leave its session is out of reach; a submission may not fork";
  confinement c;
  c.may_fork = true;
  // Nobody else sleeps as long, not even the same test at another level.
  const std::string seconds = std::to_string(10'000'000 + getpid());
  const std::string sleep = "sleep " + seconds;
  const program_result result =
      workshop::run_program({.command = workshop::confined(
                                 level(), c, {"sh", "-c", "setsid " + sleep + " & setsid " + sleep + " & " + sleep})},
                            1);
  EXPECT_TRUE(result.timed_out);
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::ifstream file(entry.path() / "cmdline");
    std::string text;
    std::getline(file, text);
    EXPECT_EQ(text.find(seconds), text.npos) << text;
  }
}

TEST_P(sandbox, has_an_environment_of_its_own) {
  setenv("GRIDSTRIDE_SECRET", "of the parent", 1);
  setenv("GRIDSTRIDE_THREADS", "3", 1);
  const program_result result = run({"env"});
  unsetenv("GRIDSTRIDE_THREADS");
  EXPECT_EQ(result.output.find("SECRET"), std::string::npos) << result.output;
  EXPECT_NE(result.output.find("GRIDSTRIDE_THREADS=3\n"), std::string::npos) << result.output;
  EXPECT_NE(result.output.find("GRIDSTRIDE_TARGET=engine\n"), std::string::npos) << result.output;
  // Nor through the processes around it.
  if (level() == isolation::limits) return;  // which hide no file
  EXPECT_EQ(shell("exec cat /proc/1/environ /proc/$PPID/environ").output.find("of the parent"), std::string::npos);
}

TEST(isolation, has_a_name_for_every_level) {
  EXPECT_EQ(to_string(isolation::bubblewrap), "bubblewrap");
  EXPECT_EQ(to_string(isolation::namespaces), "namespaces");
  EXPECT_EQ(to_string(isolation::landlock), "landlock");
  EXPECT_EQ(to_string(isolation::limits), "not isolated");
}

TEST(isolation, takes_the_strongest_that_works) {
  const isolation strongest = workshop::strongest_isolation();
  EXPECT_TRUE(works(strongest));
  for (const isolation level : {isolation::bubblewrap, isolation::namespaces, isolation::landlock})
    if (level < strongest) {
      EXPECT_FALSE(works(level)) << to_string(level);
    }
}

INSTANTIATE_TEST_SUITE_P(level, sandbox,
                         testing::Values(isolation::bubblewrap, isolation::namespaces, isolation::landlock,
                                         isolation::limits),
                         [](const auto& info) {
                           return info.param == isolation::limits ? "limits" : to_string(info.param);
                         });

}  // namespace sandbox_test
