#include "viewer/timings/growth.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "viewer/timings/plotted_times.h"
#include "workbook/number_text.h"

namespace viewer {
namespace {

std::string count(double elements) {
  return std::abs(elements) < 1e18 ? workbook::grouped(std::llround(elements)) : workbook::significant(elements, 3);
}

// Two digits, since more aren't known.
std::string roughly(double elements) { return count(std::strtod(fmt::format("{:.1e}", elements).c_str(), nullptr)); }

std::string crossover_sentence(const bench_crossover& c) {
  if (!c.for_sure_at)
    return fmt::format("{} isn't faster than {} for sure at the largest of these sizes.", c.winner, c.other);
  if (!c.about) return fmt::format("{} is faster than {} at all of these sizes.", c.winner, c.other);
  return fmt::format("{} is faster than {} from about {} elements on: for sure {}at {}.", c.winner, c.other,
                     roughly(*c.about), c.not_at ? fmt::format("not at {}, ", count(*c.not_at)) : "",
                     count(*c.for_sure_at));
}

}  // namespace

workbook::xy_plot growth_plot(const bench_growth& g) {
  double most = 0;
  for (const bench_workload& size : g.sizes)
    for (const bench_entrant& e : size.entrants) most = std::max(most, e.seconds.median);
  const time_unit unit = unit_for(most);
  workbook::xy_plot plot{.title = "Growth with the size",
                         .x = {.label = "elements", .log = true},
                         .y = {.label = "time of a call", .unit = unit.name, .log = true}};
  for (const char* role : {"ours", "peer", "limit"})
    for (const bench_workload& size : g.sizes)
      for (const bench_entrant& e : size.entrants) {
        const std::string name = shown_name(e.name, e.role);
        if (e.role != role || std::ranges::find(plot.series, name, &workbook::series::name) != plot.series.end())
          continue;
        std::vector<double> x, y;
        for (const bench_workload& other : g.sizes)
          for (const bench_entrant& entrant : other.entrants)
            if (entrant.name == e.name && entrant.role == role && entrant.seconds.median > 0) {
              x.push_back(other.elements);
              y.push_back(entrant.seconds.median * unit.per_second);
            }
        if (x.size() > 1)
          plot.series.push_back({.name = name, .x = x, .y = y, .style = workbook::drawn_as::line_and_points});
      }
  for (const bench_crossover& c : g.crossovers)
    if (c.for_sure_at && c.about)
      plot.references.push_back(
          {.at = *c.about, .label = fmt::format("{} overtakes {}", c.winner, c.other), .vertical = true});
  return plot;
}

std::vector<std::string> growth_sentences(const bench_growth& g) {
  std::vector<std::string> sentences;
  for (const bench_crossover& c : g.crossovers) sentences.push_back(crossover_sentence(c));
  for (const bench_exponent& e : g.exponents)
    sentences.push_back(
        fmt::format("{}: the time grows as elements^{:.2f}{}, off by {:.3g} x at most.", e.name, e.exponent,
                    e.low && e.high ? fmt::format(" [{:.2f}, {:.2f}]", *e.low, *e.high) : "", e.deviation));
  return sentences;
}

}  // namespace viewer
