#include "viewer/course/lesson_run.h"

#include <fmt/format.h>

#include <csignal>
#include <cstring>

#include "runtime/core/error.h"

namespace viewer {
namespace {

constexpr std::size_t kept_output = 64 << 10;

std::vector<std::string> joined(const lesson_run::command& c) {
  std::vector<std::string> words = c.words;
  words.insert(words.end(), c.options.begin(), c.options.end());
  return words;
}

}  // namespace

lesson_run::command lesson_run::of_program(const std::filesystem::path& program, std::vector<std::string> options) {
  return {{program.string(), "--stream", "3"}, std::move(options)};
}

lesson_run::lesson_run(const command& program, std::function<void()> changed)
    : options_(program.options),
      changed_(std::move(changed)),
      child_(joined(program), {.text = [this](std::string_view text) { take_output(text); },
                               .stream = [this](std::string_view bytes) { take(bytes); },
                               .ended = [this](int status) { end(status); }}) {}

lesson_run::~lesson_run() = default;

run_state lesson_run::state() const {
  const std::lock_guard lock(mutex_);
  run_state copy = state_;
  if (copy.stage == run_stage::running) copy.seconds = std::chrono::duration<double>(clock::now() - began_).count();
  return copy;
}

bool lesson_run::running() const {
  const std::lock_guard lock(mutex_);
  return state_.stage == run_stage::running;
}

void lesson_run::cancel() {
  {
    const std::lock_guard lock(mutex_);
    if (state_.stage == run_stage::running) cancelled_ = true;
  }
  child_.cancel();
}

void lesson_run::take_output(std::string_view text) {
  {
    const std::lock_guard lock(mutex_);
    std::string& output = state_.output;
    output.append(text);
    if (output.size() > kept_output) output.erase(0, output.size() - kept_output);
  }
  changed_();
}

void lesson_run::take(std::string_view bytes) {
  std::string broken;
  try {
    receiver_.take(bytes);
  } catch (const gs::error& e) {
    broken = e.what();
  }
  {
    const std::lock_guard lock(mutex_);
    state_.about = receiver_.about();
    state_.items = receiver_.items();
    state_.fraction = receiver_.fraction();
    state_.doing = receiver_.doing();
    if (state_.message.empty()) state_.message = broken;
  }
  changed_();
}

void lesson_run::end(int status) {
  {
    const std::lock_guard lock(mutex_);
    state_.seconds = std::chrono::duration<double>(clock::now() - began_).count();
    if (receiver_.failure()) state_.message = receiver_.failure()->message;
    if (cancelled_) {
      state_.stage = run_stage::cancelled;
      state_.message = "cancelled";
    } else if (receiver_.ended() && !receiver_.failure() && state_.message.empty()) {
      state_.stage = run_stage::finished;  // with failed checks, perhaps: they stand in the report
    } else {
      state_.stage = run_stage::failed;
      if (state_.message.empty())
        state_.message = status > 128 ? fmt::format("the program was ended by a signal: {}", strsignal(status - 128))
                                      : fmt::format("the program ended with status {} before its report did", status);
    }
  }
  changed_();
}

}  // namespace viewer
