#include "viewer/timings/roofline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace viewer {
namespace {

constexpr double tolerance = 1.05;  // limits are measured, too

bool is_memory_bandwidth(const bench_limit& l) {
  return l.unit == "GB/s" && l.name.find("cache") == l.name.npos && l.name.find("level") == l.name.npos &&
         l.name.find("L1") == l.name.npos && l.name.find("L2") == l.name.npos && l.name.find("L3") == l.name.npos &&
         l.name.find("GPU") == l.name.npos;
}

}  // namespace

double roofline::roof(double intensity) const { return std::min(peak_gigaflops, gigabytes_per_second * intensity); }

roofline roofline_of(const bench_run& run) {
  roofline r;
  for (const bench_limit& l : run.limits) {
    if (is_memory_bandwidth(l)) r.gigabytes_per_second = std::max(r.gigabytes_per_second, l.value);
    if (l.unit == "GFLOP/s") r.peak_gigaflops = std::max(r.peak_gigaflops, l.value);
  }
  for (const bench_workload& w : run.workloads) {
    const bench_entrant* best = nullptr;
    for (const bench_entrant& e : w.entrants)
      if (e.role == "ours" && e.hardware != "gpu" && e.seconds.median > 0 &&
          (!best || e.seconds.median < best->seconds.median))
        best = &e;
    if (best != nullptr && w.bytes > 0 && w.operations > 0)
      r.points.push_back({w.name, w.operations / w.bytes, w.operations / best->seconds.median * 1e-9});
  }
  return r;
}

bool above_roof(const roofline& r, const roofline_point& p) { return p.gigaflops > tolerance * r.roof(p.intensity); }

std::string bound_text(const roofline& r, const roofline_point& p) {
  if (r.roof(p.intensity) <= 0) return fmt::format("{}: this run has no measured limits to compare with.", p.name);
  const bool by_memory = p.intensity < r.ridge();
  const double share = p.gigaflops / r.roof(p.intensity);
  if (above_roof(r, p))
    return fmt::format(
        "{}: {:.0f} % of what {} allows can't be. The measurement is wrong, or its data stays in caches and fewer "
        "bytes "
        "move than are counted.",
        p.name, 100 * share, by_memory ? "memory" : "arithmetic");
  const std::string bound =
      by_memory
          ? fmt::format(
                "bound by memory: {:.3g} operations per byte, and {:.3g} would be needed to keep the "
                "arithmetic units busy",
                p.intensity, r.ridge())
          : fmt::format("bound by arithmetic: {:.3g} operations per byte are more than the {:.3g} that memory can feed",
                        p.intensity, r.ridge());
  const char* near = share >= 0.8   ? "it is at the limit"
                     : share >= 0.4 ? "there is something to gain"
                                    : "something else holds it back";
  return fmt::format("{}: {}. It reaches {:.3g} of the {:.3g} GFLOP/s that {} allows it, {:.0f} %: {}.", p.name, bound,
                     p.gigaflops, r.roof(p.intensity), by_memory ? "memory" : "arithmetic", 100 * share, near);
}

workbook::xy_plot roofline_plot(const roofline& r) {
  double low = r.ridge() / 30, high = r.ridge() * 30;
  for (const roofline_point& p : r.points) {
    low = std::min(low, p.intensity / 2);
    high = std::max(high, p.intensity * 2);
  }
  workbook::xy_plot plot{.title = "Roofline",
                         .x = {.label = "operations per byte", .unit = "FLOP/B", .log = true},
                         .y = {.label = "speed", .unit = "GFLOP/s", .log = true}};
  if (r.roof(1) > 0) {
    const std::vector<double> x{low, r.ridge(), high};
    std::vector<double> y;
    for (const double v : x) y.push_back(r.roof(v));
    plot.series.push_back({.name = "measured limits", .x = x, .y = y});
  }
  std::vector<double> x[2], y[2];
  for (const roofline_point& p : r.points) {
    x[above_roof(r, p)].push_back(p.intensity);
    y[above_roof(r, p)].push_back(p.gigaflops);
  }
  if (!x[0].empty()) plot.series.push_back({.name = "ours", .x = x[0], .y = y[0], .style = workbook::drawn_as::points});
  if (!x[1].empty())
    plot.series.push_back({.name = "above the roof: an error in the measurement",
                           .x = x[1],
                           .y = y[1],
                           .style = workbook::drawn_as::points});
  return plot;
}

}  // namespace viewer
