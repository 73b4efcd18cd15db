#include "runtime/inspect/run_compiler.h"

#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>
#include <utility>

#include "runtime/core/error.h"
#include "runtime/host/start_process.h"

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
  for (std::string& variable : detail::own_environment())
    if (!variable.starts_with("LC_ALL=") && !variable.starts_with("GCC_COLORS=") && !variable.starts_with("COLUMNS="))
      variables.push_back(std::move(variable));
  variables.emplace_back("LC_ALL=C");
  return variables;
}

}  // namespace

compiler_output run_compiler(const std::vector<std::string>& arguments, const std::filesystem::path& directory) {
  const temporary_file output = open_temporary_file(), errors = open_temporary_file();
  pid_t child = 0;
  try {
    child = detail::start_process({.command = arguments,
                                   .output = fileno(output.get()),
                                   .error = fileno(errors.get()),
                                   .directory = directory,
                                   .environment = english_environment(),
                                   .own_session = false});
  } catch (const std::system_error& e) {
    throw machine_error("run the compiler " + arguments.at(0) + " in " + directory.string(), e.code().message(),
                        "install it, or configure the build again");
  }
  const int status = detail::wait_for_process(child);
  return {status, read_all(output.get()), read_all(errors.get())};
}

}  // namespace gs::inline GS_FLAVOUR::inspecting
