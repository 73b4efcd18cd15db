#pragma once
// A source file in the window: line numbers, colours, and notes at lines.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "viewer/text/cpp_colours.h"
#include "viewer/theme.h"

namespace viewer {

enum class gravity { remark, warning, error };

/// A note at a line: a compiler's message, a finding of an instrument.
struct line_note {
  gravity grave = gravity::error;
  std::string text = {};
};

class source_view {
 public:
  source_view() = default;
  explicit source_view(std::filesystem::path file);
  /// A source that isn't in a file of its own.
  static source_view of_text(std::string text);

  /// Reads the file again if it has changed since. True if it has.
  bool reload_if_changed();
  const std::filesystem::path& file() const { return file_; }
  const std::string& text() const { return text_; }
  std::size_t lines() const { return lines_.size(); }

  /// Notes by line, from 1. They replace the earlier ones.
  void set_notes(std::multimap<int, line_note> notes) { notes_ = std::move(notes); }
  /// Scrolls there when it is drawn next, and marks the line.
  void go_to(int line) { target_line_ = marked_line_ = line; }

  void draw(const char* label, ImVec2 size, const theme& look);

 private:
  void read();
  void split();

  std::filesystem::path file_;
  std::filesystem::file_time_type changed_ = {};
  std::string text_;
  std::vector<std::string> lines_;            // of text_
  std::vector<std::vector<cpp_span>> spans_;  // per line
  std::multimap<int, line_note> notes_;
  int target_line_ = 0, marked_line_ = 0;
};

}  // namespace viewer
