#include "bench/report/scaling.h"

#include <fmt/format.h>

#include "bench/report/text.h"

namespace bench {

std::vector<std::vector<scaled>> evaluate_scaling(const scaling& s) {
  std::vector<std::vector<scaled>> scalings;
  for (std::size_t e = 0; !s.on.empty() && e < s.on.front().size(); ++e) {
    std::vector<scaled>& results = scalings.emplace_back();
    for (std::size_t k = 0; k < s.on.size(); ++k) {
      const entrant& current = s.on[k][e];
      const estimate speedup = paired_ratio(s.on.front()[e].seconds, current.seconds);
      results.push_back({s.cores[k], &current, summarize(current.seconds), speedup,
                         speedup.median / static_cast<double>(s.cores[k])});
    }
  }
  return scalings;
}

std::string scaling_text(const scaling& s) {
  std::string text = heading_text(s.workload);
  if (!s.skipped.empty()) return text + fmt::format("  skipped: {}\n", s.skipped);
  if (!s.wrong.empty()) return text + fmt::format("  WRONG: {}\n", s.wrong);
  const auto scalings = evaluate_scaling(s);
  if (scalings.empty()) return "";
  constexpr auto line = "  {:<6}{:<36}{:>5}{:>11} {:<7}  {:<22}{}\n";
  text += fmt::format(line, "", "", "cores", "time", "", "speed-up", "efficiency");
  for (const auto& results : scalings)
    for (const scaled& k : results) {
      const bool first = k.cores == 1;
      text += fmt::format(line, first ? to_string(k.entrant->role) : "", first ? k.entrant->name : "", k.cores,
                          time_text(k.seconds.median), fmt::format("± {:.0f} %", 100 * k.seconds.spread()),
                          first ? "1" : ratio_text(k.speedup), fmt::format("{:.0f} %", 100 * k.efficiency));
    }
  return text;
}

}  // namespace bench
