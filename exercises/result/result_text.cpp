#include "exercises/result/result_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "workbook/exercise/text_lines.h"
#include "workbook/terminal/inspection_text.h"
#include "workbook/terminal/text_frame.h"
#include "workbook/terminal/text_layout.h"

namespace exercises {
namespace {

using workbook::dimmed, workbook::in_bold, workbook::in_colour, workbook::wrap;

constexpr workbook::colour bad{215, 0, 0}, good{0, 175, 95};
constexpr std::size_t most_output_lines = 20;

// The source line at a place, without its indentation; empty if the file can't be read.
std::string source_line(const gs::source_place& place) {
  std::string line;
  std::ifstream file(place.file);
  for (unsigned k = 0; k < place.line && std::getline(file, line); ++k) {
  }
  return file ? line.substr(std::min(line.find_first_not_of(' '), line.size())) : "";
}

std::string place_text(const gs::source_place& p) {
  return p.column > 0 ? gs::to_string(p) : fmt::format("{}:{}", p.file, p.line);
}

std::string number_of(std::size_t n, std::string_view noun) {
  return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
}

class result_writer {
 public:
  result_writer(const exercise_result& r, const workbook::terminal& t)
      : r_(r), terminal_(t), width_(std::min(t.width, workbook::widest_prose)) {}

  void head() {
    out_ += fmt::format(
        "{}  {}\n\n", in_bold(fmt::format("{} {}", to_string(r_.exercise.id()), r_.exercise.name), terminal_), r_.file);
  }

  void all_checks() {
    for (const check_result& c : r_.checks) check(c);
  }

  void first_failure() {
    if (!r_.fails_first()) return;
    check(*r_.first_failed_check());
    if (r_.asked_place.line > 0) line_of_source(place_text(r_.asked_place), source_line(r_.asked_place));
  }

  void what_happened() {
    if (r_.text.empty() && r_.messages.empty()) return;
    gap();
    std::string title{to_string(r_.outcome)};
    if (r_.place.line > 0) title += " at " + place_text(r_.place);
    if (r_.messages.empty()) {
      out_ += in_colour("✗", bad, terminal_) + wrap(title, width_, 2).substr(1) + wrap(r_.text, width_, 2);
      if (r_.place.line > 0) line_of_source("", source_line(r_.place));
    } else {
      out_ += in_colour("✗", bad, terminal_) + wrap(title, width_, 2).substr(1) + "\n" + r_.messages;
    }
    if (!r_.advice.empty()) out_ += "\n" + wrap(r_.advice, width_);
  }

  void findings(bool show_all) {
    const std::size_t count = show_all ? r_.findings.size() : r_.finds_first();
    for (std::size_t k = 0; k < count; ++k) {
      gap();
      if (!show_all && !r_.fails_first()) out_ += in_colour("✗", bad, terminal_) + " ";
      gs::finding f = r_.findings[k];
      if (f.made.file != r_.file) f.made = {};  // an array that the checks made says nothing new
      out_ += workbook::to_text(f, terminal_);
    }
    if (const std::size_t more = r_.findings.size() - count; more > 0) {
      gap();
      out_ += dimmed(fmt::format("{}{}; --all shows {}", number_of(more, "finding"), count > 0 ? " more" : "",
                                 more == 1 ? "it" : "them"),
                     terminal_) +
              "\n";
    }
  }

  void output() {
    if (r_.output.empty()) return;
    const auto lines = workbook::lines_of(r_.output);
    out_ += "\n" + dimmed("It printed:", terminal_) + "\n";
    for (std::size_t k = 0; k < std::min(lines.size(), most_output_lines); ++k)
      out_ += fmt::format("  {}\n", terminal_.interactive ? workbook::cut(lines[k], terminal_.width - 2) : lines[k]);
    if (lines.size() > most_output_lines) {
      const std::size_t more = lines.size() - most_output_lines;
      out_ += dimmed(fmt::format("  ... and {} more {}", more, more == 1 ? "line" : "lines"), terminal_) + "\n";
    }
  }

  void summary() {
    const std::size_t check_count = r_.checks.size(), failed = r_.failed_checks();
    gap();
    if (r_.passed()) {
      out_ += in_colour("✓", good, terminal_) +
              fmt::format(" {}{} passed{}{}.\n", check_count > 1 ? "All " : "", number_of(check_count, "check"),
                          r_.device.empty() ? "" : ", compiled by nvcc and run on " + r_.device,
                          r_.seed ? fmt::format(", with random data of seed {}", *r_.seed) : "");
      return;
    }
    if (r_.outcome == outcome::compile_error) {
      out_ += "No check ran.\n";
      return;
    }
    out_ += in_colour("✗", bad, terminal_) + " ";
    if (check_count == 0 && r_.findings.empty()) {
      out_ += "No check ran to its end.\n";
      return;
    }
    std::string text = fmt::format("{} passed, {} failed", number_of(check_count - failed, "check"), failed);
    if (!r_.findings.empty()) text += fmt::format(", {}", number_of(r_.findings.size(), "finding"));
    text += r_.to_the_end ? "." : "; those that follow did not run.";
    if (r_.seed) text += fmt::format(" The random data has seed {}.", *r_.seed);
    out_ += wrap(text, width_, 2).substr(2);
  }

  void left_out() {
    if (!r_.left_out.empty()) out_ += "\n" + dimmed(wrap(r_.left_out, width_), terminal_);
  }

  std::string text() && { return terminal_.unicode ? std::move(out_) : workbook::to_ascii(out_); }

 private:
  void gap() {
    if (!out_.ends_with("\n\n")) out_ += "\n";
  }

  void check(const check_result& c) {
    std::string text = c.name;
    if (!c.passed && !(c.expected.empty() && c.got.empty()))
      text += fmt::format(": expected {}, got {}", c.expected, c.got);
    out_ += c.passed ? in_colour("✓", good, terminal_) : in_colour("✗", bad, terminal_);
    out_ += wrap(text, width_, 2).substr(1);  // the mark stands in the margin
  }

  void line_of_source(const std::string& place, const std::string& source) {
    for (const std::string& line : {place, source})
      if (!line.empty())
        out_ +=
            "    " + dimmed(terminal_.interactive ? workbook::cut(line, terminal_.width - 4) : line, terminal_) + "\n";
  }

  const exercise_result& r_;
  const workbook::terminal& terminal_;
  std::size_t width_;
  std::string out_;
};

}  // namespace

std::string to_text(const exercise_result& r, const workbook::terminal& t, bool show_all) {
  result_writer writer(r, t);
  writer.head();
  if (show_all)
    writer.all_checks();
  else
    writer.first_failure();
  writer.what_happened();
  writer.findings(show_all);
  writer.output();
  writer.summary();
  writer.left_out();
  return std::move(writer).text();
}

}  // namespace exercises
