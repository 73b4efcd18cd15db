#include "runtime/inspect/run_compiler.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <memory>
#include <string_view>
#include <system_error>

#include "runtime/core/error.h"
#include "runtime/core/spawn.h"

namespace gs::inline GS_FLAVOUR::inspecting {
namespace {

struct close_file {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using temporary_file = std::unique_ptr<std::FILE, close_file>;

// Files, not pipes: the compiler writes two streams of many megabytes, and whoever reads two pipes in turn can
// deadlock.
temporary_file open_temporary_file() {
  temporary_file file(std::tmpfile());
  if (!file)
    throw machine_error("keep the compiler's output in a temporary file", std::system_category().message(errno),
                        "make room in /tmp");
  return file;
}

std::string read_all(std::FILE* file) {
  std::string text;
  std::rewind(file);
  char piece[1 << 16];
  while (std::size_t count = std::fread(piece, 1, sizeof piece, file)) text.append(piece, count);
  return text;
}

// The environment, with messages in English and without colours.
std::vector<std::string> english_environment() {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    std::string_view text = *variable;
    if (!text.starts_with("LC_ALL=") && !text.starts_with("GCC_COLORS=") && !text.starts_with("COLUMNS="))
      variables.emplace_back(text);
  }
  variables.emplace_back("LC_ALL=C");
  return variables;
}

}  // namespace

compiler_output run_compiler(const std::vector<std::string>& arguments, const std::filesystem::path& directory) {
  const temporary_file output = open_temporary_file(), errors = open_temporary_file();
  file_actions actions;
  posix_spawn_file_actions_addchdir_np(&actions, directory.c_str());
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", 0, 0);
  posix_spawn_file_actions_adddup2(&actions, fileno(output.get()), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, fileno(errors.get()), STDERR_FILENO);

  std::vector<std::string> words = arguments, environment = english_environment();
  pid_t child = 0;
  if (int failure = posix_spawnp(&child, words.at(0).c_str(), &actions, nullptr, as_c_strings(words).data(),
                                 as_c_strings(environment).data()))
    throw machine_error("run the compiler " + words[0] + " in " + directory.string(),
                        std::system_category().message(failure), "install it, or configure the build again");
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      throw machine_error("wait for the compiler " + words[0], std::system_category().message(errno), "try again");
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read_all(output.get()),
          read_all(errors.get())};
}

}  // namespace gs::inline GS_FLAVOUR::inspecting
