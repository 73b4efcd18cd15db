#include "workbook/terminal/progress_bar.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <system_error>

#include "workbook/terminal/text_layout.h"

namespace workbook {

progress_bar::progress_bar(std::string name, const terminal& t) : name_(std::move(name)), terminal_(t) {
  if (!terminal_.interactive) return;
  try {
    thread_ = std::thread([this] { show(); });
  } catch (const std::system_error&) {  // no thread to be had: nothing is shown
  }
}

progress_bar::~progress_bar() { end(); }

void progress_bar::end() {
  using namespace std::chrono_literals;
  std::unique_lock lock(mutex_, std::defer_lock);
  for (int tries = 100; !lock.try_lock(); --tries) {
    if (tries == 0) {  // who holds it stands still, and with it the bar
      if (terminal_.interactive) fmt::print(stderr, "\r\033[K");
      return;
    }
    std::this_thread::sleep_for(10ms);
  }
  done_ = true;
  lock.unlock();
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void progress_bar::set(double fraction, std::string_view activity) {
  const std::lock_guard lock(mutex_);
  fraction_ = fraction;
  activity_ = activity;
}

void progress_bar::say(std::string_view line) {
  const std::lock_guard lock(mutex_);
  fmt::print(stderr, "{}{}\n", terminal_.interactive ? "\r\033[K" : "", line);
}

void progress_bar::show() {
  using namespace std::chrono_literals;
  const auto start = std::chrono::steady_clock::now();
  std::unique_lock lock(mutex_);
  if (wake_.wait_for(lock, 2s, [this] { return done_; })) return;
  do {
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const std::string line = progress_line(name_, fraction_, activity_, seconds, terminal_);
    std::fprintf(stderr, "\r%s\033[K", line.c_str());
    std::fflush(stderr);
  } while (!wake_.wait_for(lock, 100ms, [this] { return done_; }));
  std::fprintf(stderr, "\r\033[K");
  std::fflush(stderr);
}

std::string progress_line(std::string_view name, double fraction, std::string_view activity, double seconds,
                          const terminal& t) {
  std::string line(name);
  if (fraction >= 0) {
    constexpr int cells = 24;
    const int full = static_cast<int>(fraction * cells);
    line += "  ";
    for (int k = 0; k < cells; ++k) line += k < full ? (t.unicode ? "█" : "#") : (t.unicode ? "░" : ".");
    line += fmt::format("  {:.0f} %", fraction * 100);
  }
  if (!activity.empty()) line += "  " + std::string(activity);
  line += fmt::format("  {:.0f} s", seconds);
  line = cut(line, t.width - 1);
  return t.unicode ? line : to_ascii(line);
}

}  // namespace workbook
