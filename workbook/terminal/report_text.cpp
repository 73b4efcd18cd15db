#include "workbook/terminal/report_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "workbook/number_text.h"
#include "workbook/terminal/inspection_text.h"
#include "workbook/terminal/plot_text.h"
#include "workbook/terminal/text_grid.h"
#include "workbook/terminal/text_layout.h"

namespace workbook {
namespace {

class report_writer {
 public:
  explicit report_writer(const terminal& t) : terminal_(t), prose_width_(std::min(t.width, widest_prose)) {}

  void head(const run_description& about) {
    const std::string name = about.lesson < 0 ? about.name : fmt::format("{:02} {}", about.lesson, about.name);
    out_ += bold(about.title.empty() ? name : name + "  " + about.title) + "\n";
    std::string line = about.device.empty() ? "" : fmt::format("{} · target {}", about.device, about.target);
    for (const parameter& p : about.parameters.declared())
      line += fmt::format(" · {} {}", name_of(p), to_text(about.parameters.value(name_of(p))));
    line += fmt::format(" · seed {}", about.parameters.seed());
    if (line.starts_with(" · ")) line.erase(0, std::string_view(" · ").size());
    out_ += dim(wrap(line, terminal_.width));
  }

  void operator()(const heading& h) {
    out_ += "\n" + bold(h.text) + "\n" + std::string(display_width(h.text), '-') + "\n";
  }
  void operator()(const paragraph& p) { out_ += "\n" + wrap(p.text, prose_width_); }

  void operator()(const table& t) {
    std::vector<std::vector<std::string>> lines;
    std::vector<bool> right;
    std::vector<std::string> head;
    for (std::size_t c = 0; c < t.columns.size(); ++c) {
      const column& column = t.columns[c];
      head.push_back(column.unit.empty() ? column.name : fmt::format("{} [{}]", column.name, column.unit));
      right.push_back(std::any_of(t.rows.begin(), t.rows.end(), [c](const auto& row) { return row[c].is_number(); }));
    }
    for (const auto& row : t.rows) {
      auto& line = lines.emplace_back();
      for (std::size_t c = 0; c < row.size(); ++c) line.push_back(to_text(row[c], t.columns[c].digits.value_or(4)));
    }
    grid(t.title, head, lines, right);
  }

  void checks(const std::vector<const check*>& group) {
    out_ += "\n";
    for (const check* c : group) {
      out_ += c->passed ? coloured("✓", green) : coloured("✗", red);
      std::string text = c->name;
      if (!c->passed && !(c->expected.empty() && c->got.empty()))
        text += fmt::format(": expected {}, got {}", c->expected, c->got);
      else if (!c->got.empty())
        text += fmt::format("  ({})", c->got);
      out_ += wrap(text, prose_width_, 2).substr(1);  // the mark stands in the margin
    }
  }

  void timings(const std::vector<const timed_statement*>& group) {
    std::size_t names = 0;
    if (std::ranges::all_of(group, [](const auto* t) { return std::isnan(t->time.mean()); })) return;
    for (const auto* t : group) names = std::max(names, display_width(t->name));
    out_ += "\n";
    for (const auto* t : group) {
      std::string rates;
      const double mean = t->time.mean();
      if (t->work.bytes > 0 && mean > 0) rates += "  " + to_text(bytes_per_second(t->work.bytes / mean));
      if (t->work.operations > 0 && mean > 0) rates += "  " + to_text(operations_per_second(t->work.operations / mean));
      const std::string line = gs::to_string(t->time);
      if (names + 2 + display_width(line + rates) <= terminal_.width) {
        out_ += pad_right(t->name, names) + "  ";
        out_.append(line).append(rates).append("\n");
        continue;
      }
      // Too wide for one line: the name stands above, and what is in brackets breaks off where it must.
      out_ += t->name + "\n";
      const std::size_t bracket = line.find(" (mean");
      if (2 + display_width(line) <= terminal_.width)
        out_ += "  " + line + "\n";
      else
        out_ += "  " + line.substr(0, bracket) + "\n" + wrap(line.substr(bracket + 1), terminal_.width, 4);
      if (!rates.empty()) out_ += rates + "\n";
    }
  }

  void accounts(const std::vector<const account_entry*>& group) {
    std::vector<std::vector<std::string>> lines;
    for (const auto* entry : group) {
      const gs::ledger& a = entry->account;
      const auto copies = [](std::uint64_t count, std::uint64_t size) {
        return count == 0 ? std::string("0")
                          : fmt::format("{} ({})", grouped(static_cast<long long>(count)),
                                        to_text(bytes(static_cast<double>(size))));
      };
      lines.push_back({entry->name, copies(a.copies_to_device, a.bytes_to_device),
                       copies(a.copies_to_host, a.bytes_to_host), copies(a.copies_within_device, a.bytes_within_device),
                       grouped(static_cast<long long>(a.launches)), copies(a.allocations, a.allocated_bytes),
                       grouped(static_cast<long long>(a.synchronizations)), copies(a.loans, a.lent_bytes)});
    }
    std::vector<std::string> columns{"",         "to device",   "to host",         "within device",
                                     "launches", "allocations", "synchronisations", "lent"};
    // What seldom happens has a column only where it did: the table then fits a terminal of 80 characters.
    for (const std::size_t seldom : {7, 6, 3}) {
      if (!std::ranges::all_of(lines, [&](const auto& line) { return line[seldom] == "0"; })) continue;
      columns.erase(columns.begin() + static_cast<std::ptrdiff_t>(seldom));
      for (auto& line : lines) line.erase(line.begin() + static_cast<std::ptrdiff_t>(seldom));
    }
    std::vector<bool> numbers(columns.size(), true);
    numbers[0] = false;
    grid("Ledger", columns, lines, numbers);
  }

  void operator()(const tested_prediction& p) {
    out_ += "\n" + bold("?") + wrap(p.asked.question, prose_width_, 2).substr(1);
    out_ +=
        "  your guess  " + (p.guess ? answer_text(p.asked, *p.guess) : "none; give one with --guess-" + p.asked.name);
    out_ += "\n  measured    " + answer_text(p.asked, p.measured) + comparison_text(p);
    out_ += "\n";
  }

  void operator()(const inspection_entry& entry) { out_ += "\n" + to_text(entry.result, terminal_, entry.all_lines); }

  // The report says once that nothing was timed.
  void operator()(const plot& p) {
    if (!only_nan(p)) out_ += "\n" + to_text(p, terminal_);
  }

  void verdict(const report& r) {
    if (r.checks() == 0) return;
    const std::size_t failed = r.failed_checks();
    out_ += "\n";
    if (failed == 0)
      out_ += coloured(r.checks() == 1 ? "The check passed." : fmt::format("All {} checks passed.", r.checks()), green);
    else
      out_ += coloured(fmt::format("{} of {} checks failed.", failed, r.checks()), red);
    out_ += "\n";
  }

  std::string text() const { return terminal_.unicode ? out_ : to_ascii(out_); }

 private:
  static constexpr int green = 35, red = 160;

  std::string escaped(std::string_view code, std::string_view text) const {
    if (terminal_.colours == colour_depth::none) return std::string(text);
    return fmt::format("\033[{}m{}\033[0m", code, text);
  }
  std::string bold(std::string_view text) const { return escaped("1", text); }
  std::string dim(std::string_view text) const {
    if (!text.ends_with('\n')) return escaped("2", text);
    return escaped("2", text.substr(0, text.size() - 1)) + "\n";
  }
  std::string coloured(std::string_view text, int colour) const {
    return escaped(fmt::format("38;5;{}", colour), text);
  }

  void grid(const std::string& title, const std::vector<std::string>& head,
            const std::vector<std::vector<std::string>>& lines, const std::vector<bool>& right) {
    out_ += "\n" + to_text(text_grid{title, head, right, lines}, terminal_);
  }

  const terminal& terminal_;
  std::size_t prose_width_;
  std::string out_;
};

}  // namespace

std::string to_text(const report& r, const terminal& t) {
  report_writer writer(t);
  writer.head(r.about);
  // Checks, timings and accounts that follow each other are shown as one block, aligned.
  std::vector<const check*> checks;
  std::vector<const timed_statement*> timings;
  std::vector<const account_entry*> accounts;
  const auto flush = [&] {
    if (!checks.empty()) writer.checks(checks);
    if (!timings.empty()) writer.timings(timings);
    if (!accounts.empty()) writer.accounts(accounts);
    checks.clear();
    timings.clear();
    accounts.clear();
  };
  std::size_t kind = std::variant_npos;
  for (const item& entry : r.items()) {
    if (entry.index() != kind) flush();
    kind = entry.index();
    if (const auto* c = std::get_if<check>(&entry))
      checks.push_back(c);
    else if (const auto* s = std::get_if<timed_statement>(&entry))
      timings.push_back(s);
    else if (const auto* a = std::get_if<account_entry>(&entry))
      accounts.push_back(a);
    else if (const auto* h = std::get_if<heading>(&entry))
      writer(*h);
    else if (const auto* p = std::get_if<paragraph>(&entry))
      writer(*p);
    else if (const auto* rows = std::get_if<table>(&entry))
      writer(*rows);
    else if (const auto* tested = std::get_if<tested_prediction>(&entry))
      writer(*tested);
    else if (const auto* found = std::get_if<inspection_entry>(&entry))
      writer(*found);
    else
      writer(std::get<plot>(entry));
  }
  flush();
  writer.verdict(r);
  return writer.text();
}

}  // namespace workbook
