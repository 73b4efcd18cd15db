#include "bench/report/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <set>

#include "bench/report/evaluation.h"

namespace bench {
namespace {

// Three significant digits, never in scientific notation.
std::string three_digits(double value) {
  const int before_point = value > 0 ? static_cast<int>(std::floor(std::log10(value))) + 1 : 1;
  return fmt::format("{:.{}f}", value, std::clamp(3 - before_point, 0, 3));
}

std::string bytes_text(std::size_t bytes) {
  if (bytes >= std::size_t{1} << 30) return fmt::format("{:.4g} GiB", std::ldexp(static_cast<double>(bytes), -30));
  if (bytes >= std::size_t{1} << 20) return fmt::format("{:.4g} MiB", std::ldexp(static_cast<double>(bytes), -20));
  return fmt::format("{:.4g} KiB", std::ldexp(static_cast<double>(bytes), -10));
}

std::string rate_text(const std::optional<double>& rate) { return rate ? three_digits(*rate) : ""; }

// "6.13 G": three digits and the prefix of a thousand, a million, ...
std::string count_rate_text(const std::optional<double>& rate) {
  if (!rate) return "";
  for (const auto& [size, prefix] : {std::pair{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}})
    if (*rate >= size) return fmt::format("{} {}", three_digits(*rate / size), prefix);
  return three_digits(*rate) + "  ";
}

std::string percent_text(const std::optional<estimate>& share) {
  return share ? fmt::format("{:.0f} %", 100 * share->median) : "";
}

std::string crossover_text(const crossover& c) {
  const auto size = [](double elements) { return count_text(static_cast<std::size_t>(std::llround(elements))); };
  if (!std::isfinite(c.from))
    return fmt::format("  {} isn't faster than {} for sure on the largest of these sizes\n", c.winner, c.other);
  if (!c.about) return fmt::format("  {} is faster than {} at all of these sizes\n", c.winner, c.other);
  const std::string about = size(std::strtod(fmt::format("{:.1e}", *c.about).c_str(), nullptr));  // two digits of it
  const std::string before = c.after > 0 ? fmt::format("not at {}, ", size(c.after)) : "";
  return fmt::format("  {} is faster than {} from about {} elements on: for sure {}at {}\n", c.winner, c.other, about,
                     before, size(c.from));
}

const statement* fastest_of_ours(const std::vector<statement>& statements, bool on_gpu) {
  const statement* best = nullptr;
  for (const statement& s : statements)
    if (s.entrant->role == role::ours && (s.entrant->hardware == hardware::gpu) == on_gpu &&
        (!best || s.seconds.median < best->seconds.median))
      best = &s;
  return best;
}

// Any system has a disturbance below this share.
constexpr double noticeable = 0.03;

std::string trimmed(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

}  // namespace

std::string time_text(double seconds) {
  struct scale {
    double seconds;
    const char* unit;
  };
  constexpr std::array<scale, 4> scales{{{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}, {1e-9, "ns"}}};
  for (const auto& [size, unit] : scales)
    if (seconds >= size || size == 1e-9) return fmt::format("{} {}", three_digits(seconds / size), unit);
  return "";
}

std::string ratio_text(const estimate& ratio) {
  return fmt::format("{:.2f} [{:.2f}, {:.2f}]", ratio.median, ratio.low, ratio.high);
}

std::string count_text(std::size_t n) {
  const std::string digits = std::to_string(n);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

std::string heading_text(const run_record& record) {
  const machine& m = record.machine;
  std::string caches;
  for (const cache& c : m.caches)
    caches += fmt::format(", L{} {}{}", c.level, bytes_text(c.bytes),
                          c.cores > 1 ? fmt::format(" for {} cores", c.cores) : "");
  std::string text =
      fmt::format("{}, {} cores{}\n{} of memory, huge pages: {}, compiled for {}\nGPU: {}\n{}, {}\ncommit {}, {}\n",
                  m.processor, m.cores, caches, bytes_text(m.memory), m.huge_pages, m.vector_width, m.gpu,
                  record.compiler, record.flags, record.commit, record.date);
  for (const std::string& peer : record.peers) text += fmt::format("peer {}\n", peer);
  for (const std::string& sentence : record.absent_peers) text += fmt::format("left out: {}\n", sentence);
  if (record.quick) text += "NOTE: a quick run. It shows that everything runs; its figures mean nothing.\n";
  if (record.build != "Release" || record.flavour != "plain")
    text +=
        fmt::format("NOTE: this is the {} flavour, built as '{}': its figures say nothing about the release build.\n",
                    record.flavour, record.build);
  if (m.load > 0.5)
    text += fmt::format("NOTE: {:.1f} threads were running on average before the run: let the machine rest first.\n",
                        m.load);
  return text;
}

std::string budget_text(double seconds) {
  const std::string time =
      seconds < 120 ? fmt::format("{:.0f} s", seconds) : fmt::format("{:.0f} minutes", seconds / 60);
  return fmt::format("This takes {} at most, less where results settle early; --seconds says otherwise.\n", time);
}

std::string limits_text(const std::vector<limit>& limits) {
  std::string text = "\nThe limits of this machine, measured in this run\n";
  for (const limit& l : limits)
    text +=
        fmt::format("  {:<32}{:>9} {:<8}± {:.0f} %\n", l.name, three_digits(l.value), l.unit, 100 * l.seconds.spread());
  return text;
}

std::string heading_text(const workload& w) {
  std::string text = fmt::format("\n{}: {}", w.name, w.text);
  if (w.elements > 0) text += fmt::format(", {} x {}", count_text(w.elements), w.dtype);
  return text + "\n";
}

std::string row_text(const row& r) {
  const workload& w = r.workload;
  std::string text = heading_text(w);
  if (r.disturbed > noticeable)
    text += fmt::format("  NOTE: other programs had {:.0f} % of the cores meanwhile; ratios and verdicts suffer.\n",
                        100 * r.disturbed);
  if (!r.skipped.empty()) return text + fmt::format("  skipped: {}\n", r.skipped);
  if (!r.wrong.empty()) return text + fmt::format("  WRONG: {}\n", r.wrong);

  for (const std::string& sentence : r.left_out) text += fmt::format("  left out: {}\n", sentence);
  constexpr auto line = "  {:<6}{:<36}{:>9} {:<7}{:>11} {:>7} {:>8} {:>9}   {:<22}{:<18}{}";
  const auto all = evaluate(r);
  const bool judged = std::ranges::any_of(all, [](const statement& s) { return s.reached.has_value(); });
  text += trimmed(fmt::format(line, "", "", "time", "", "elements/s", "GB/s", "GFLOP/s", "of limit", "x peer",
                              judged ? "wanted" : "", judged ? "verdict" : ""));
  for (const statement& s : all)
    text += trimmed(fmt::format(line, to_string(s.entrant->role), s.entrant->name, time_text(s.seconds.median),
                                fmt::format("± {:.0f} %", 100 * s.seconds.spread()), count_rate_text(s.elements),
                                rate_text(s.gigabytes), rate_text(s.gigaflops), percent_text(s.of_limit),
                                s.over_peer ? ratio_text(*s.over_peer) : "", s.wanted ? s.wanted->text : "",
                                s.reached ? to_string(*s.reached) : ""));
  return text;
}

std::string growth_text(const growth& g) {
  const workload& w = g.sizes.back().workload;
  std::string text = fmt::format("\n{}: {}, {}\n", w.name, w.text, w.dtype);
  const std::string& reason = g.sizes.front().skipped;
  if (!reason.empty() &&
      std::ranges::all_of(g.sizes, [&](const row& r) { return &r == &g.sizes.back() || r.skipped == reason; }))
    return text + fmt::format("  skipped: {}\n", reason);
  constexpr auto line = "  {:>14}  {:<26}{:>9} {:<7}{:>11} {:>7} {:>8} {:>9}   {}";
  text += trimmed(fmt::format(line, "elements", "the fastest of ours", "time", "", "elements/s", "GB/s", "GFLOP/s",
                              "of limit", "x peer"));
  for (const row& r : g.sizes) {
    if (r.entrants.empty())
      text += fmt::format("  {:>14}  {}\n", count_text(r.workload.elements),
                          r.wrong.empty() ? "skipped: " + r.skipped : "WRONG: " + r.wrong);
    const auto all = evaluate(r);
    for (const bool on_gpu : {false, true})
      if (const statement* best = fastest_of_ours(all, on_gpu))
        text += trimmed(
            fmt::format(line, count_text(r.workload.elements), best->entrant->name, time_text(best->seconds.median),
                        fmt::format("± {:.0f} %", 100 * best->seconds.spread()), count_rate_text(best->elements),
                        rate_text(best->gigabytes), rate_text(best->gigaflops), percent_text(best->of_limit),
                        best->over_peer ? ratio_text(*best->over_peer) : ""));
  }
  for (const entrant_growth& e : g.entrants) {
    const bool bounded = std::isfinite(e.law.high);
    text += fmt::format("  {:<6}{:<43} elements^{:.2f}{}, off by {:.1f} x at most\n", to_string(e.role), e.name,
                        e.law.exponent, bounded ? fmt::format(" [{:.2f}, {:.2f}]", e.law.low, e.law.high) : "",
                        e.law.deviation);
  }
  for (const crossover& c : g.crossovers) text += crossover_text(c);
  std::set<std::string> left_out;
  for (const row& r : g.sizes) left_out.insert(r.left_out.begin(), r.left_out.end());
  for (const std::string& why : left_out) text += fmt::format("  left out: {}\n", why);
  return text;
}

std::string summary_text(const std::vector<row>& rows) {
  std::array<std::size_t, 3> counts{};
  std::size_t skipped = 0, wrong = 0;
  for (const row& r : rows) {
    skipped += !r.skipped.empty();
    wrong += !r.wrong.empty();
    for (const statement& s : evaluate(r))
      if (s.reached) ++counts[static_cast<std::size_t>(*s.reached)];
  }
  std::string text = counts == decltype(counts){} ? "\nnothing was judged"
                                                  : fmt::format("\n{} met, {} missed, {} with noise too large to tell",
                                                                counts[0], counts[1], counts[2]);
  if (skipped > 0) text += fmt::format("; {} skipped", skipped);
  if (wrong > 0) text += fmt::format("; {} with WRONG RESULTS", wrong);
  return text + "\n";
}

}  // namespace bench
