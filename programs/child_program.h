#pragma once
// child_program: a program started with this program's input, output, folder and environment.

#include <signal.h>
#include <sys/types.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "runtime/host/descriptor.h"

namespace programs {

struct child_options {
  std::filesystem::path program;
  std::string name;  ///< its argv[0]
  std::vector<std::string> arguments = {};
  std::map<std::string, std::string> variables = {};  ///< added to this program's environment
  /// In a process group of its own, without input: this program keeps the keyboard.
  bool in_background = false;
  int output = -1;  ///< a descriptor for what it prints to standard output; -1: this program's
};

class child_program {
 public:
  /// Throws gs::machine_error if it can't be started.
  explicit child_program(const child_options& o);
  ~child_program();  ///< kills it if it still runs; in the background, with everything it started
  child_program(const child_program&) = delete;
  child_program& operator=(const child_program&) = delete;

  int descriptor() const { return watch_.number(); }  ///< can be read once it has ended
  bool ended();
  /// Once it has ended: its exit status, or 128 + n if signal n ended it.
  int status() const { return status_; }
  void send(int signal) const;

 private:
  pid_t id_ = 0, target_ = 0;
  int status_ = 0;
  gs::detail::descriptor watch_;
};

/// The signals of Ctrl-C and the like, which this program blocks and reads.
sigset_t ending_signals();

}  // namespace programs
