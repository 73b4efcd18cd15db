#include "viewer/child_process.h"

#include <mutex>

#include "runtime/core/error.h"
#include "viewer/child.h"

namespace viewer {

struct child_process::state {
  mutable std::mutex mutex;  // of what follows
  std::string output, errors;
  int status = -1;
  std::unique_ptr<child> program;  // last: its thread ends before anything else goes
};

child_process::child_process(const std::vector<std::string>& arguments, const std::function<void()>& wake)
    : state_(std::make_unique<state>()) {
  state& s = *state_;
  const auto taker = [&s, wake](std::string& output) {
    return [&s, &output, wake](std::string_view text) {
      {
        const std::lock_guard lock(s.mutex);
        output += text;
      }
      wake();
    };
  };
  try {
    s.program = std::make_unique<child>(
        arguments, child::handlers{.text = taker(s.output), .errors = taker(s.errors), .ended = [&s, wake](int status) {
                                     {
                                       const std::lock_guard lock(s.mutex);
                                       s.status = status;
                                     }
                                     wake();
                                   }});
  } catch (const gs::error& e) {
    s.errors = arguments[0] + " can't be started: " + std::string(e.found());
    s.status = 127;
  }
}

child_process::~child_process() = default;
child_process::child_process(child_process&&) noexcept = default;
child_process& child_process::operator=(child_process&&) noexcept = default;

bool child_process::ended() const { return status() >= 0; }
int child_process::status() const {
  const std::lock_guard lock(state_->mutex);
  return state_->status;
}
std::string child_process::output() const {
  const std::lock_guard lock(state_->mutex);
  return state_->output;
}
std::string child_process::errors() const {
  const std::lock_guard lock(state_->mutex);
  return state_->errors;
}

std::string child_process::doing(std::string_view work) const {
  std::string message = errors();
  if (message.ends_with('\n')) message.pop_back();
  std::string last = message.substr(message.rfind('\n') + 1);  // all of it where it is one line
  if (last.starts_with("Another ./gridstride")) return last;
  return (last.starts_with("Building ") ? last + ", then " : "") + std::string(work);
}

}  // namespace viewer
