#pragma once
// A program in the background: started, read from, and ended when its answer is no longer needed.

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace viewer {

class child_process {
 public:
  /// Starts `arguments[0]`, a path or a name on the PATH, in a session of its own, with nothing on its standard
  /// input. `wake` is called from another thread whenever there is something new. A program that can't be started ends
  /// with status 127 and says why on its standard error.
  child_process(const std::vector<std::string>& arguments, const std::function<void()>& wake);
  /// Ends the program, and what it has started, if it still runs.
  ~child_process();
  child_process(child_process&&) noexcept;
  child_process& operator=(child_process&&) noexcept;

  bool ended() const;
  /// 0 to 255 as the program returned it, 128 + its signal otherwise; -1 while it runs.
  int status() const;
  /// What it has written so far.
  std::string output() const;
  std::string errors() const;

  /// The status text while it runs: `work`; before that what the launcher builds first, which takes minutes the first
  /// time, or that the launcher waits for another one.
  std::string doing(std::string_view work) const;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace viewer
