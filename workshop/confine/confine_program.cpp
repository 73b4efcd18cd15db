// gridstride-confine OPTIONS -- PROGRAM ARGUMENTS: gives up what a learner's program must not have, then becomes that
// program. It needs no trust: all it ever does is take rights away from itself. `gridstride-confine --probe FILE` ends
// with 0 if FILE can't be opened, else with 1. `gridstride-confine --tied-to PARENT PROGRAM ARGUMENTS` becomes the
// program, and is killed when its parent, the process with that number, ends.
//
// Exit status: 125 if it can't do what it was asked to; else the program's.

#include <errno.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string_view>

#include "workshop/confine/confine.h"

namespace confine {

void fail(const std::string& step) { throw confine_error(step + ": " + std::strerror(errno)); }

namespace {

std::uint64_t number(const std::string& option, const std::string& text) {
  char* end = nullptr;
  errno = 0;
  const std::uint64_t value = std::strtoull(text.c_str(), &end, 10);
  if (errno != 0 || text.empty() || *end) throw confine_error(option + ": '" + text + "' is no number");
  return value;
}

std::pair<std::string, std::string> assignment(const std::string& option, const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == text.npos) throw confine_error(option + ": '" + text + "' is no NAME=VALUE");
  return {text.substr(0, equals), text.substr(equals + 1)};
}

std::pair<int, rlim_t> limit(const std::string& option, const std::string& text) {
  static const std::map<std::string, int> resources = {
      {"as", RLIMIT_AS},       {"core", RLIMIT_CORE},   {"cpu", RLIMIT_CPU},
      {"data", RLIMIT_DATA},   {"fsize", RLIMIT_FSIZE}, {"nofile", RLIMIT_NOFILE},
      {"nproc", RLIMIT_NPROC}, {"stack", RLIMIT_STACK}, {"memlock", RLIMIT_MEMLOCK}};
  const auto [name, value] = assignment(option, text);
  const auto found = resources.find(name);
  if (found == resources.end()) throw confine_error(option + ": there is no limit '" + name + "'");
  return {found->second, number(option, value)};
}

options read(const std::vector<std::string>& words) {
  options o;
  std::size_t next = 0;
  const auto value = [&](const std::string& option) -> const std::string& {
    if (next == words.size()) throw confine_error(option + ": its value is missing");
    return words[next++];
  };
  while (next < words.size()) {
    const std::string& word = words[next++];
    if (word == "--") break;
    if (word == "--read")
      o.readable.push_back(value(word));
    else if (word == "--write")
      o.writable.push_back(value(word));
    else if (word == "--device")
      o.devices.push_back(value(word));
    else if (word == "--limit")
      o.limits.push_back(limit(word, value(word)));
    else if (word == "--set")
      o.environment.push_back(assignment(word, value(word)));
    else if (word == "--directory")
      o.directory = value(word);
    else if (word == "--scratch")
      o.scratch_bytes = number(word, value(word));
    else if (word == "--user")
      o.drop_root = true, o.user = static_cast<unsigned>(number(word, value(word)));
    else if (word == "--new-root")
      o.new_root = true;
    else if (word == "--landlock")
      o.landlock = true;
    else if (word == "--own-users")
      o.own_users = true;
    else if (word == "--may-fork")
      o.may_fork = true;
    else if (word == "--report-calls")
      o.report_calls = true;
    else if (word == "--gpu")
      o.gpu = true;
    else
      throw confine_error("there is no option '" + word + "'");
  }
  o.command.assign(words.begin() + static_cast<std::ptrdiff_t>(next), words.end());
  if (o.command.empty()) throw confine_error("which program? It comes after --");
  return o;
}

void become(std::vector<std::string>& command) {
  std::vector<char*> words;
  for (std::string& word : command) words.push_back(word.data());
  words.push_back(nullptr);
  execvp(words[0], words.data());
  fail("start " + command[0]);
}

// If the parent ended before die_with_parent() took effect, no signal will come.
void end_without(pid_t parent) {
  if (getppid() != parent) throw confine_error("the program that started it has ended");
}

void run_tied(const std::vector<std::string>& words) {
  std::vector<std::string> command(words.begin() + 2, words.end());
  die_with_parent();
  end_without(static_cast<pid_t>(number(words[0], words[1])));
  become(command);
}

void run(options o) {
  const pid_t parent = getppid();
  if (o.new_root) enter_new_root(o);
  clearenv();
  for (const auto& [name, text] : o.environment) setenv(name.c_str(), text.c_str(), 1);
  if (!o.may_fork) setenv("GRIDSTRIDE_NO_PROCESSES", "1", 1);  // for dialect/language/shared_probe.h
  drop_privileges(o);
  die_with_parent();
  end_without(parent);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) fail("give up new privileges");
  if (chdir(o.directory.c_str()) != 0) fail("go to " + o.directory);
  if (o.new_root) leave_first_process();
  if (o.own_users) enter_own_users();
  if (o.landlock) restrict_files(o);
  set_limits(o);
  die_with_parent();  // this may be another process by now, and of another user namespace
  restrict_system_calls(o);
  become(o.command);
}

}  // namespace
}  // namespace confine

int main(int argc, char** argv) {
  try {
    const std::vector<std::string> words(argv + 1, argv + argc);
    if (words.size() == 2 && words[0] == "--probe") return open(words[1].c_str(), O_RDONLY | O_CLOEXEC) < 0 ? 0 : 1;
    if (words.size() > 2 && words[0] == "--tied-to") confine::run_tied(words);
    confine::run(confine::read(words));
  } catch (const std::exception& e) {
    std::fprintf(stderr, "gridstride-confine: %s\n", e.what());
  }
  return 125;
}
