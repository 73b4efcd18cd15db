#include "programs/sanitizer_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <optional>
#include <tuple>
#include <utility>

#include "runtime/core/printable.h"

namespace programs {
namespace {

constexpr std::string_view mark = "=========";

struct place {
  std::string file;
  unsigned line = 0;
};

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  return first == text.npos ? "" : text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

// "k(int *)+0x80 in /home/me/homework.cu:5 [240 hazards]", and as older versions have it,
// "0x80 in /home/me/homework.cu:5:k(int *)".
std::optional<place> place_in(std::string_view text) {
  constexpr std::string_view before = " in ";
  for (std::size_t at = text.find(before); at != text.npos; at = text.find(before, at + 1)) {
    const std::string_view rest = text.substr(at + before.size());
    for (std::size_t colon = rest.find(':'); colon != rest.npos; colon = rest.find(':', colon + 1)) {
      unsigned line = 0;
      const auto [end, problem] = std::from_chars(rest.data() + colon + 1, rest.data() + rest.size(), line);
      const bool ends_there = end == rest.data() + rest.size() || *end == ' ' || *end == ':';
      if (problem == std::errc() && ends_there && line > 0) return place{std::string(rest.substr(0, colon)), line};
    }
  }
  return std::nullopt;
}

// A line that says how a report goes on or what it comes to, and no finding.
bool is_frame(std::string_view text) {
  constexpr std::array frames{"COMPUTE-SANITIZER", "ERROR SUMMARY", "LEAK SUMMARY", "RACECHECK SUMMARY",
                              "Target application returned an error"};
  return text.empty() || std::ranges::any_of(frames, [&](const char* frame) { return text.starts_with(frame); });
}

// "Error: Race reported between Write access at k(int *)+0x80 in homework.cu:5" without what the place says.
std::string headline(std::string_view text) {
  for (const std::string_view severity : {"Error: ", "Warning: "})
    if (text.starts_with(severity)) text.remove_prefix(severity.size());
  if (place_in(text)) text = text.substr(0, text.find(" at "));
  while (text.ends_with('.')) text.remove_suffix(1);
  return std::string(text);
}

class log_reader {
 public:
  explicit log_reader(std::string_view tool) : tool_(tool) {}

  void read(std::string_view line) {
    if (!line.starts_with(mark)) return;
    line.remove_prefix(mark.size());
    const std::string_view text = trimmed(line);
    if (is_frame(text)) return end();
    if (current_ && line.starts_with("   "))
      read_detail(text);
    else
      begin(text);
  }

  std::vector<sanitizer_finding> take() {
    end();
    return std::move(findings_);
  }

 private:
  void begin(std::string_view text) {
    end();
    current_.emplace();
    current_->tool = tool_;
    current_->text = headline(text);
    if (const auto at = place_in(text)) current_->file = at->file, current_->line = at->line;
  }

  void read_detail(std::string_view text) {
    constexpr std::string_view by = "by ", other = "and ", host = "Host Frame:";
    const auto at = place_in(text);
    if (text.starts_with("by thread")) {
      current_->by = std::string(text.substr(by.size()));
    } else if (text.starts_with(other) && text.find(" access at ") != text.npos) {
      current_->text += " " + std::string(text.substr(0, text.find(" at ")));
      if (at) current_->other_file = at->file, current_->other_line = at->line;
    } else if (at && current_->line == 0 && (!text.starts_with(host) || at->file.ends_with(".cu"))) {
      current_->file = at->file, current_->line = at->line;
    }
  }

  void end() {
    if (!current_) return;
    const auto same = std::ranges::find_if(findings_, [&](const sanitizer_finding& f) {
      return f.text == current_->text && f.file == current_->file && f.line == current_->line &&
             f.other_file == current_->other_file && f.other_line == current_->other_line;
    });
    if (same != findings_.end())
      ++same->count;
    else
      findings_.push_back(std::move(*current_));
    current_.reset();
  }

  std::string_view tool_;
  std::vector<sanitizer_finding> findings_;
  std::optional<sanitizer_finding> current_;
};

std::string source_line(const std::string& file, unsigned number) {
  std::ifstream in(file);
  std::string line;
  for (unsigned k = 0; k < number; ++k)
    if (!std::getline(in, line)) return "";
  return line;
}

// "  homework.cu:5  x[i] = 1;", a line of the report; nothing where no place was told.
std::string shown_place(const std::string& file, unsigned line) {
  if (line == 0) return "";
  std::string text = fmt::format("  {}:{}", gs::detail::printable(file.substr(file.rfind('/') + 1)), line);
  if (const std::string source = source_line(file, line); !source.empty())
    text += fmt::format("  {}", gs::detail::printable(std::string(trimmed(source))));
  return text + '\n';
}

}  // namespace

std::vector<sanitizer_finding> read_sanitizer_log(std::string_view tool, std::string_view log) {
  log_reader reader(tool);
  while (!log.empty()) {
    const std::size_t end = std::min(log.find('\n'), log.size());
    reader.read(log.substr(0, end));
    log.remove_prefix(std::min(end + 1, log.size()));
  }
  return reader.take();
}

std::string sanitizer_text(std::vector<sanitizer_finding> findings) {
  std::ranges::stable_sort(findings, {}, [](const sanitizer_finding& f) { return std::tie(f.file, f.line); });
  std::string text;
  for (const sanitizer_finding& f : findings) {
    text += fmt::format("{} [{}]\n", gs::detail::printable(f.text), f.tool);
    text += shown_place(f.file, f.line) + shown_place(f.other_file, f.other_line);
    if (!f.by.empty()) text += fmt::format("  by {}{}\n", f.by, f.count > 1 ? " first" : "");
    if (f.count > 1) text += fmt::format("  {} times\n", f.count);
  }
  return text;
}

}  // namespace programs
