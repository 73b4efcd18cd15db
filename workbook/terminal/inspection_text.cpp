#include "workbook/terminal/inspection_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <vector>

#include "runtime/core/shape.h"
#include "runtime/inspect/source_text.h"
#include "workbook/number_text.h"
#include "workbook/terminal/text_frame.h"
#include "workbook/terminal/text_grid.h"
#include "workbook/terminal/text_layout.h"
#include "workbook/time_bound_text.h"

namespace workbook {
namespace {

constexpr colour error_colour{215, 0, 0}, note_colour{0, 135, 175}, good_colour{0, 175, 95};
constexpr double full_warp = 32;

using line_list = std::vector<const gs::line_counters*>;

std::string count_text(std::uint64_t n) { return grouped(static_cast<long long>(n)); }

std::string counted(std::uint64_t n, const std::string& noun) {
  return fmt::format("{} {}{}", count_text(n), noun, n == 1 ? "" : "s");
}

// "1,234", "1.2 million", "3.5 billion".
std::string rounded(std::uint64_t n) {
  const auto value = static_cast<double>(n);
  if (value >= 999.5e6) return significant(value / 1e9, 2) + " billion";
  if (value >= 999'950) return significant(value / 1e6, 2) + " million";
  return count_text(n);
}

double per(std::uint64_t part, std::uint64_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

std::string fixed(double v) { return fmt::format("{:.1f}", v); }

std::string extent_text(const gs::index3& e) {
  std::string text = fmt::format("{}", e.x);
  if (e.y > 1 || e.z > 1) text += fmt::format(" x {}", e.y);
  return e.z > 1 ? text + fmt::format(" x {}", e.z) : text;
}

class inspection_writer {
 public:
  inspection_writer(const gs::inspection& result, const terminal& t)
      : result_(result), terminal_(t), prose_width_(std::min(t.width, widest_prose)) {
    for (const gs::kernel_counters& k : result.kernels) kernels_.insert(k.kernel);
  }

  void finding(const gs::finding& f) {
    std::string kind(to_string(f.kind));
    std::ranges::replace(kind, '_', ' ');
    if (f.same_value) kind += ", of the same value";
    place_line(f.access.where,
               in_colour(kind, error_colour, terminal_) + fmt::format(" [{}]", to_string(instrument_of(f.kind))));
    if (f.other) place_line(f.other->where, in_colour("the other", note_colour, terminal_));
    if (f.made.line > 0 && f.made != f.access.where) place_line(f.made, in_colour("made here", note_colour, terminal_));
    if (const std::string facts = facts_of(f); !facts.empty()) out_ += wrap(facts, prose_width_, 2);
    if (!f.meaning.empty()) out_ += wrap(f.meaning, prose_width_, 2);
    if (!f.hint.empty()) out_ += wrap("Hint: " + f.hint, prose_width_, 2);
    out_ += "\n";
  }

  void counters(bool all_lines) {
    if (result_.lines.empty()) return;
    std::size_t hidden_lines = 0;
    std::vector<std::string> hidden_kernels;
    for (const std::string& kernel : kernels_) {
      line_list lines;
      std::size_t hidden = 0;
      for (const gs::line_counters& line : result_.lines)
        if (line.kernel == kernel) all_lines || could_do_better(line) ? lines.push_back(&line) : void(++hidden);
      hidden_lines += hidden;
      if (lines.empty() && !all_lines)
        hidden_kernels.push_back(kernel);
      else
        counters_of(kernel, lines);
    }
    if (hidden_lines == 0) return;
    std::string rest = counted(hidden_lines, hidden_lines < result_.lines.size() ? "more line" : "line");
    rest += hidden_lines == 1 ? " is" : " are";
    rest += " within a tenth of the ideal; --lines shows all.";
    if (!hidden_kernels.empty()) rest = fmt::format("Nothing to gain in {}. ", fmt::join(hidden_kernels, ", ")) + rest;
    out_ += wrap(rest, prose_width_) + "\n";
  }

  void copies() {
    if (result_.copies.empty()) return;
    text_grid g{.title = "",
                .head = {"line", "source", "to device", "bytes", "to host", "bytes"},
                .right = {true, false, true, true, true, true},
                .lines = {}};
    const auto size = [](std::uint64_t n) { return n > 0 ? to_text(bytes(static_cast<double>(n))) : ""; };
    const auto number = [](std::uint64_t n) { return n > 0 ? count_text(n) : ""; };
    for (const gs::line_copies& c : result_.copies)
      g.lines.push_back({fmt::format("{}:{}", std::filesystem::path(c.where.file).filename().string(), c.where.line),
                         cut(line_of(c.where), std::max<std::size_t>(prose_width_, 72) - 56),
                         number(c.copies_to_device), size(c.bytes_to_device), number(c.copies_to_host),
                         size(c.bytes_to_host)});
    out_ += dimmed("Copies between host and device", terminal_) + "\n" + to_text(g, terminal_) + "\n";
  }

  void verdict() {
    std::uint64_t accesses = 0;
    for (const gs::kernel_counters& k : result_.kernels) accesses += k.accesses;
    std::set<std::pair<std::string, unsigned>> lines;
    for (const gs::line_counters& c : result_.lines) lines.emplace(c.where.file, c.where.line);
    const bool clean = result_.findings.empty();
    if (result_.failure) out_ += in_colour("Stopped early. ", error_colour, terminal_);
    out_ += in_colour(clean ? "No findings" : counted(result_.findings.size(), "finding"),
                      clean ? good_colour : error_colour, terminal_);
    out_ += ": ";
    if (!kernels_.empty() || result_.ufunc_calls == 0) out_ += counted(kernels_.size(), "kernel");
    if (!kernels_.empty() && result_.ufunc_calls > 0) out_ += ", ";
    if (result_.ufunc_calls > 0) out_ += counted(result_.ufunc_calls, "call") + " of ufuncs and libraries";
    if (!lines.empty()) out_ += ", " + counted(lines.size(), "line");
    if (accesses > 0) out_ += fmt::format(", {} accesses", rounded(accesses));
    out_ += fmt::format(" in {:.1f} s\n", result_.seconds);
    if (kernels_.empty())
      out_ +=
          wrap(result_.ufunc_calls > 0
                   ? "No kernel was launched. What ufuncs do on the device was looked at for indices outside of an "
                     "array, elements that nothing wrote and arrays that are gone; races and counters are of kernels."
                   : "Nothing ran on the device that could have been looked at: no kernel, and no ufunc.",
               prose_width_);
    for (const std::string& note : result_.notes) out_ += wrap("Note: " + note, prose_width_);
    std::vector<std::string_view> off;
    for (std::size_t k = 0; k < gs::detail::instrument_count; ++k)
      if (const auto i = static_cast<gs::instrument>(k);
          std::ranges::find(result_.instruments, i) == result_.instruments.end())
        off.push_back(to_string(i));
    if (!off.empty()) out_ += dimmed(fmt::format("Switched off: {}", fmt::join(off, ", ")), terminal_) + "\n";
  }

  std::string text() const { return terminal_.unicode ? out_ : to_ascii(out_); }

 private:
  const gs::inspecting::source_text& source(const std::string& file) {
    return sources_.try_emplace(file, file).first->second;
  }

  // As one would type it from here.
  static std::string shown_path(const std::string& file) {
    std::error_code ignored;
    const std::string here = std::filesystem::current_path(ignored).string() + "/";
    return file.starts_with(here) ? file.substr(here.size()) : file;
  }

  // Without the blanks around it.
  std::string line_of(const gs::source_place& place) {
    const std::string_view line = source(place.file).line(place.line);
    const std::size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
    return std::string(line.substr(begin, line.find_last_not_of(" \t\r") + 1 - begin));
  }

  // "file:line:column: text", the line and a caret under the column.
  void place_line(const gs::source_place& place, const std::string& text) {
    const gs::source_place shown{shown_path(place.file), place.line, place.column};
    out_ += in_bold(to_string(shown) + ":", terminal_) + " " + text + "\n";
    std::string line(source(place.file).line(place.line));
    std::ranges::replace(line, '\t', ' ');
    if (line.find_first_not_of(' ') == line.npos) return;
    const std::size_t column = std::clamp<std::size_t>(place.column, 1, line.size() + 1);
    const std::string margin = fmt::format("{:5} | ", place.line), blank = "      | ";
    std::size_t before = display_width(std::string_view(line).substr(0, column - 1));
    if (terminal_.interactive) {  // in a file, lines are as long as they are
      const std::size_t room = std::max<std::size_t>(terminal_.width, margin.size() + 20) - margin.size();
      if (place.column > 0 && before + 1 >= room) {
        const std::size_t hidden = std::min(column - 1, before + 1 - room / 2);
        line = "…" + line.substr(hidden);
        before = display_width(std::string_view(line).substr(0, column + 2 - hidden));
      }
      line = cut(line, room);
    }
    out_ += margin + line + "\n";
    if (place.column > 0) out_ += blank + std::string(before, ' ') + in_colour("^", error_colour, terminal_) + "\n";
  }

  // "in diffuse · u, shape (512, 512) · 1,024 times"
  static std::string facts_of(const gs::finding& f) {
    std::vector<std::string> facts;
    if (!f.access.kernel.empty()) facts.push_back("in " + f.access.kernel);
    if (f.other && f.other->kernel != f.access.kernel) facts.push_back("in " + f.other->kernel);
    const std::string shape = f.extents.empty() ? "" : "shape " + gs::to_string(gs::shape(f.extents));
    if (!f.array.empty() || !shape.empty())
      facts.push_back(f.array + (f.array.empty() || shape.empty() ? "" : ", ") + shape);
    if (f.space != gs::memory_space::global) facts.push_back(fmt::format("{} memory", to_string(f.space)));
    if (f.count > 1) facts.push_back(count_text(f.count) + " times");
    return fmt::format("{}", fmt::join(facts, " · "));
  }

  void counters_of(const std::string& kernel, const line_list& lines) {
    launches_of(kernel);
    line_list global, shared, atomics, local;
    for (const gs::line_counters* c : lines)
      (c->kind == gs::access_kind::atomic     ? atomics
       : c->space == gs::memory_space::global ? global
       : c->space == gs::memory_space::shared ? shared
                                              : local)
          .push_back(c);
    const auto lanes = [](const auto& c) { return fixed(c.active_lanes()); };
    const auto requests = [](const auto& c) { return count_text(c.requests); };
    const auto access = [](const auto& c) { return std::string(to_string(c.kind)); };
    table("Global memory, averages of a request", global,
          {{"access", access, false},
           {"requests", requests},
           {"lanes", lanes},
           {"sectors", [](const auto& c) { return fixed(c.sectors_per_request()); }},
           {"ideal", [](const auto& c) { return fixed(per(c.ideal_sectors, c.requests)); }},
           {"bytes used",
            [](const auto& c) { return fmt::format("{:.0f} %", 100 * per(c.bytes_used, c.bytes_moved())); }}});
    table("Shared memory, averages of a request", shared,
          {{"access", access, false},
           {"requests", requests},
           {"lanes", lanes},
           {"wavefronts", [](const auto& c) { return fixed(per(c.wavefronts, c.requests)); }},
           {"ideal", [](const auto& c) { return fixed(per(c.ideal_wavefronts, c.requests)); }},
           {"conflicts", [](const auto& c) { return count_text(c.bank_conflicts()); }}});
    table("Atomic operations, averages of a request", atomics,
          {{"memory", [](const auto& c) { return std::string(to_string(c.space)); }, false},
           {"requests", requests},
           {"lanes", lanes},
           {"on one", [](const auto& c) { return fixed(per(c.serialized, c.requests)); }},
           {"addresses", [](const auto& c) { return count_text(c.addresses); }},
           {"busiest", [](const auto& c) { return count_text(c.most_per_address); }}});
    table("Local memory, averages of a request", local,
          {{"access", access, false}, {"requests", requests}, {"lanes", lanes}});
    out_ += "\n";
  }

  void launches_of(const std::string& kernel) {
    std::vector<const gs::kernel_counters*> launches;
    gs::kernel_counters sum;
    for (const gs::kernel_counters& k : result_.kernels) {
      if (k.kernel != kernel) continue;
      launches.push_back(&k);
      sum.launches += k.launches;
      sum.threads += k.threads;
      sum.accesses += k.accesses;
      sum.barriers += k.barriers;
      sum.static_shared_bytes = std::max(sum.static_shared_bytes, k.static_shared_bytes);
      sum.dynamic_shared_bytes = std::max(sum.dynamic_shared_bytes, k.dynamic_shared_bytes);
    }
    const auto& first = *launches.front();
    std::string line = launches.size() == 1
                           ? fmt::format("grid {}, block {}", extent_text(first.grid), extent_text(first.block))
                           : counted(launches.size(), "shape");
    line +=
        fmt::format(" · {} · {} · {} accesses", sum.launches == 1 ? "1 launch" : count_text(sum.launches) + " launches",
                    rounded(sum.threads) + (sum.threads == 1 ? " thread" : " threads"), rounded(sum.accesses));
    if (sum.barriers > 0) line += " · " + counted(sum.barriers, "barrier");
    if (const std::size_t shared = sum.static_shared_bytes + sum.dynamic_shared_bytes; shared > 0)
      line += fmt::format(" · {} shared by a block", to_text(bytes(static_cast<double>(shared))));
    const auto [least, most] = std::ranges::minmax(launches, {}, [](const auto* k) { return k->occupancy; });
    if (most->occupancy > 0) {
      const auto percent = [](double share) { return fmt::format("{:.0f}", 100 * share); };
      line += fmt::format(" · occupancy {}{}{} % on {}{}", result_.registers_per_thread > 0 ? "" : "up to ",
                          least->occupancy < most->occupancy ? percent(least->occupancy) + " to " : "",
                          percent(most->occupancy), result_.model,
                          result_.registers_per_thread > 0
                              ? fmt::format(" with {}", counted(result_.registers_per_thread, "register"))
                              : "");
    }
    out_ += in_bold(kernel, terminal_) + "\n" + wrap(line, prose_width_, 2);
    if (const std::string bound = time_bound_text(result_, kernel); !bound.empty())
      out_ += wrap(bound, prose_width_, 2);
  }

  struct value_column {
    std::string head;
    std::string (*text)(const gs::line_counters&);
    bool right = true;
  };

  void table(const std::string& title, const line_list& lines, const std::vector<value_column>& columns) {
    if (lines.empty()) return;
    text_grid g{.title = "", .head = {"line", "source"}, .right = {true, false}, .lines = {}};
    const bool one_file =
        std::ranges::all_of(lines, [&](const auto* c) { return c->where.file == lines[0]->where.file; });
    for (const value_column& c : columns) {
      g.head.push_back(c.head);
      g.right.push_back(c.right);
    }
    for (const gs::line_counters* c : lines) {
      auto& cells = g.lines.emplace_back();
      const std::string place = fmt::format("{}:{}", c->where.line, c->where.column);
      cells = {one_file ? place : std::filesystem::path(c->where.file).filename().string() + ":" + place, ""};
      for (const value_column& column : columns) cells.push_back(column.text(*c));
    }
    // What the numbers leave is the source's.
    std::size_t used = 0;
    for (std::size_t k = 0; k < g.head.size(); ++k) {
      std::size_t width = k == 1 ? 0 : display_width(g.head[k]);
      for (const auto& cells : g.lines) width = std::max(width, display_width(cells[k]));
      used += width + (k > 0 ? 2 : 0);
    }
    const std::size_t left = std::max<std::size_t>(terminal_.width > used ? terminal_.width - used : 0, 12);
    for (std::size_t k = 0; k < lines.size(); ++k) {
      const std::string& expression = lines[k]->expression;
      g.lines[k][1] = cut(expression.empty() ? line_of(lines[k]->where) : expression, left);
    }
    out_ += "\n" +
            dimmed(cut(title + (one_file ? ": " + shown_path(lines[0]->where.file) : ""), terminal_.width), terminal_) +
            "\n" + to_text(g, terminal_);
  }

  const gs::inspection& result_;
  const terminal& terminal_;
  std::size_t prose_width_;
  std::set<std::string> kernels_;
  std::map<std::string, gs::inspecting::source_text> sources_;
  std::string out_;
};

}  // namespace

bool could_do_better(const gs::line_counters& c) {
  const auto far = [](std::uint64_t found, std::uint64_t ideal) {
    return static_cast<double>(found) > 1.1 * static_cast<double>(ideal);
  };
  if (c.kind == gs::access_kind::atomic) return c.serialized > c.requests;
  return c.active_lanes() < 0.9 * full_warp || far(c.sectors, c.ideal_sectors) || far(c.wavefronts, c.ideal_wavefronts);
}

std::string to_text(const gs::inspection& result, const terminal& t, bool all_lines) {
  inspection_writer writer(result, t);
  for (const gs::finding& f : result.findings) writer.finding(f);
  writer.counters(all_lines);
  if (all_lines) writer.copies();
  writer.verdict();
  return writer.text();
}

std::string to_text(const gs::finding& found, const terminal& t) {
  const gs::inspection nothing_else;
  inspection_writer writer(nothing_else, t);
  writer.finding(found);
  return writer.text();
}

}  // namespace workbook
