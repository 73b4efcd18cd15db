#pragma once
// Starting another program, for all that do: what it inherits is what is said here. Not part of gs.h.

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR::detail {

struct start_options {
  std::vector<std::string> command;      ///< the program first; looked up in PATH unless it has a slash
  int input = -1;                        ///< becomes its standard input; -1: an empty one
  int output = -1, error = -1;           ///< become its standard output and error; -1: those of this process
  std::vector<int> descriptors = {};     ///< become 3, 4, 5, ... there; every other one is closed
  std::filesystem::path directory = {};  ///< where it starts; empty: where this process is
  /// All of its environment, each as "NAME=value"; nothing: that of this process.
  std::optional<std::vector<std::string>> environment = {};
  /// Then a signal to the group -id reaches all that it starts, and Ctrl-C at the terminal none of them.
  bool own_session = true;
};

/// The new process's number. No signal is blocked, ignored or caught in it. Throws std::system_error if it can't be
/// started.
pid_t start_process(const start_options& o);

/// Waits until it has ended. What end_status() says of it.
int wait_for_process(pid_t id);

/// Of what waitpid() tells: the exit status, or 128 + n if signal n ended it.
int end_status(int status);

/// This process's own environment, each as "NAME=value".
std::vector<std::string> own_environment();

}  // namespace gs::inline GS_FLAVOUR::detail
