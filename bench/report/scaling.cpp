#include "bench/report/scaling.h"

#include <fmt/format.h>

#include "bench/report/text.h"

namespace bench {

std::vector<std::vector<scaled>> evaluate_scaling(const scaling& s) {
  std::vector<std::vector<scaled>> all;
  for (std::size_t e = 0; !s.on.empty() && e < s.on.front().size(); ++e) {
    std::vector<scaled>& one = all.emplace_back();
    for (std::size_t k = 0; k < s.on.size(); ++k) {
      const entrant& who = s.on[k][e];
      const estimate speedup = paired_ratio(s.on.front()[e].seconds, who.seconds);
      one.push_back(
          {s.cores[k], &who, summarize(who.seconds), speedup, speedup.median / static_cast<double>(s.cores[k])});
    }
  }
  return all;
}

std::string scaling_text(const scaling& s) {
  std::string text = heading_text(s.what);
  if (!s.skipped.empty()) return text + fmt::format("  skipped: {}\n", s.skipped);
  if (!s.wrong.empty()) return text + fmt::format("  WRONG: {}\n", s.wrong);
  const auto all = evaluate_scaling(s);
  if (all.empty()) return "";
  constexpr auto line = "  {:<6}{:<36}{:>5}{:>11} {:<7}  {:<22}{}\n";
  text += fmt::format(line, "", "", "cores", "time", "", "speed-up", "efficiency");
  for (const auto& entrant : all)
    for (const scaled& one : entrant) {
      const bool first = one.cores == 1;
      text += fmt::format(line, first ? to_string(one.who->role) : "", first ? one.who->name : "", one.cores,
                          time_text(one.seconds.median), fmt::format("± {:.0f} %", 100 * one.seconds.spread()),
                          first ? "1" : ratio_text(one.speedup), fmt::format("{:.0f} %", 100 * one.efficiency));
    }
  return text;
}

}  // namespace bench
