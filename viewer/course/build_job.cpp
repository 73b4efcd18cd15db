#include "viewer/course/build_job.h"

#include <charconv>
#include <chrono>

#include "workbook/exercise/nvcc_message.h"

namespace viewer {
namespace {

// Reads digits and the colon after them.
bool take_number(std::string_view& text, int& number) {
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  const auto length = static_cast<std::size_t>(read.ptr - text.data());
  if (read.ec != std::errc{} || length >= text.size() || text[length] != ':') return false;
  text.remove_prefix(length + 1);
  return true;
}

bool read_message(std::string_view line, compiler_message& m) {
  const std::size_t colon = line.find(':');
  if (colon == line.npos || colon == 0) return false;
  m.file = line.substr(0, colon);
  line.remove_prefix(colon + 1);
  if (!take_number(line, m.line)) return false;
  m.column = 0;
  take_number(line, m.column);
  for (const auto& [word, error] : {std::pair{" error: ", true}, {" fatal error: ", true}, {" warning: ", false}})
    if (line.starts_with(word)) {
      m.error = error;
      m.text = line.substr(std::string_view(word).size());
      return true;
    }
  return false;
}

}  // namespace

std::vector<compiler_message> compiler_messages(std::string_view output) {
  std::vector<compiler_message> messages;
  while (!output.empty()) {
    const std::size_t end = std::min(output.find('\n'), output.size());
    compiler_message m;
    const std::string_view line = output.substr(0, end);
    if (read_message(line, m))
      messages.push_back(std::move(m));
    else if (const auto of_nvcc = workbook::read_nvcc_message(line))
      messages.push_back({.file = std::string(of_nvcc->file),
                          .line = of_nvcc->line,
                          .error = of_nvcc->error,
                          .text = std::string(of_nvcc->text)});
    output.remove_prefix(std::min(end + 1, output.size()));
  }
  return messages;
}

build_job::build_job(const std::vector<std::string>& command, std::function<void()> changed)
    : changed_(std::move(changed)),
      child_(command,
             {.text =
                  [this](std::string_view text) {
                    const std::lock_guard lock(mutex_);
                    result_.output.append(text);
                  },
              .ended =
                  [this](int status) {
                    {
                      const std::lock_guard lock(mutex_);
                      result_.running = false;
                      result_.succeeded = status == 0;
                      result_.messages = compiler_messages(result_.output);
                      result_.seconds =
                          std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
                    }
                    changed_();
                  }},
             {"LC_ALL=C.UTF-8", "GCC_COLORS="}) {}

build_job::result build_job::state() const {
  const std::lock_guard lock(mutex_);
  return result_;
}

}  // namespace viewer
