#include "viewer/timings/scaling.h"

#include <algorithm>

#include "viewer/timings/plotted_times.h"

namespace viewer {

workbook::xy_plot scaling_plot(const bench_scaling& s) {
  workbook::xy_plot plot{.title = "Speed-up with more cores",
                         .x = {.label = "cores", .min = 1, .whole = true},
                         .y = {.label = "time on one core / time", .min = 0}};
  double most = 1;
  for (const bench_scaling::entrant& e : s.entrants) {
    std::vector<double> x, y, spread;
    for (const bench_scaling::on_cores& k : e.on) {
      x.push_back(k.cores);
      y.push_back(k.speedup);
      spread.push_back(k.low && k.high ? (*k.high - *k.low) / 2 : 0);
      most = std::max(most, k.cores);
    }
    plot.series.push_back({.name = shown_name(e.name, e.role),
                           .x = x,
                           .y = y,
                           .spread = spread,
                           .style = workbook::drawn_as::line_and_points});
  }
  plot.series.push_back({.name = "ideal", .x = {1.0, most}, .y = {1.0, most}});
  return plot;
}

}  // namespace viewer
