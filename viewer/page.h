#pragma once
// A page of the viewer, shown beside the list of pages.

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "viewer/settings.h"
#include "viewer/theme.h"

namespace viewer {

/// A program of the reader's own that has a report, which is shown instead of a course.
struct own_program {
  std::string name = {};                            ///< of its program and module in lessons/ of the build folder
  std::vector<std::filesystem::path> sources = {};  ///< at least one; absolute
  std::vector<std::string> words = {};              ///< name it in a command: its files, or its folder
  std::filesystem::path builder = {};               ///< builds it again: BUILDER view --into FOLDER WORDS...
};

/// A lesson that is run as several processes over MPI.
struct lesson_on_ranks {
  std::string program = {};  ///< "41_distributed_diffusion"
  unsigned ranks = 1;
};

/// What all pages share. Lives as long as the window.
struct context {
  const theme& look;
  settings& remembered;
  std::string status = {};                       ///< the line at the bottom of the window; a page may set it
  std::filesystem::path root = {};               ///< the course's folder: lessons/, assessments/
  std::filesystem::path build = {};              ///< where the course is built: lessons/NN_name.so
  std::filesystem::path my = {};                 ///< the learner's own files
  std::filesystem::path checkout = {};           ///< ./gridstride, bench/results
  std::optional<own_program> own = {};           ///< else the course
  std::optional<lesson_on_ranks> on_ranks = {};  ///< all other lessons run as one process
  /// Shows the page of that title at the next frame, with a subject: a lesson's number, a file.
  std::function<void(std::string_view title, std::string_view subject)> open = {};
  /// Requests another frame. May be called from any thread, as when work in the background is done.
  std::function<void()> wake = {};
};

/// Pages are drawn by one thread and never wait for anything: work goes on in threads and child processes.
class page {
 public:
  virtual ~page() = default;
  /// "Course": its entry in the list, and its name everywhere.
  virtual std::string_view title() const = 0;
  /// Called when another page or the command line asks for it: see context::open.
  virtual void show(std::string_view /*subject*/) {}
  /// Draws it into the current ImGui window, which is as large as the page.
  virtual void draw(context& c) = 0;
  /// While true, frames are drawn one after the other; else only when there is input or somebody calls wake().
  virtual bool moving() const { return false; }
  /// True while the page waits for something that it will show. A picture of the page is taken when it no longer does.
  virtual bool busy() const { return false; }
  /// Plays one frame, for pictures of a page that isn't at its beginning (--frames).
  virtual void go_on() {}
};

}  // namespace viewer
