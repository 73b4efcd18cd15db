#pragma once
// A progress bar on standard error for work over two seconds.

#include <condition_variable>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "workbook/terminal/terminal.h"

namespace workbook {

/// Shows on a terminal, once two seconds have passed, how far the work is and how long it has taken; clears its line
/// when it ends. Without a terminal it shows nothing. set() may be called from any thread, as often as one likes.
class progress_bar {
 public:
  progress_bar(std::string name, const terminal& t);
  ~progress_bar();
  progress_bar(const progress_bar&) = delete;
  progress_bar& operator=(const progress_bar&) = delete;

  void set(double fraction, std::string_view activity);
  /// Prints a line that stays, above the bar; also where there is no terminal.
  void say(std::string_view line);
  /// Clears its line and shows nothing more. Also while another thread has been stopped in one of these functions.
  void end();

 private:
  void show();

  std::string name_;
  terminal terminal_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool done_ = false;
  double fraction_ = -1;  ///< below 0: nobody said
  std::string activity_;
  std::thread thread_;
};

/// The bar's line: "06_gaussian_pdf  ████████░░░░  62 %  accuracy  4 s". Without a known fraction the bar is left out.
std::string progress_line(std::string_view name, double fraction, std::string_view activity, double seconds,
                          const terminal& t);

}  // namespace workbook
