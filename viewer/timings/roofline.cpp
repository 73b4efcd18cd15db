#include "viewer/timings/roofline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace viewer {
namespace {

constexpr double tolerance = 1.05;  // limits are measured, too

bool is_memory_bandwidth(const bench_limit& l) {
  return l.unit == "GB/s" && l.name.find("cache") == l.name.npos && l.name.find("GPU") == l.name.npos;
}

// Memory's roof, and those of the caches from the last level to the first, as far as each is faster.
std::vector<bandwidth_roof> roofs_of(const bench_run& run) {
  std::vector<bandwidth_roof> roofs{{.name = "memory"}};
  for (const bench_limit& l : run.limits)
    if (is_memory_bandwidth(l)) roofs[0].gigabytes_per_second = std::max(roofs[0].gigabytes_per_second, l.value);
  std::vector<bench_cache> caches = run.caches;
  std::ranges::sort(caches, std::greater{}, &bench_cache::level);
  for (const bench_cache& c : caches) {
    const std::string name = fmt::format("L{} cache", c.level);
    const auto measured = std::ranges::find(run.limits, "read, " + name, &bench_limit::name);
    if (measured == run.limits.end() || measured->value <= roofs.back().gigabytes_per_second) continue;
    const double count = std::max(1.0, std::floor(run.cores / std::max(c.cores, 1.0)));
    roofs.push_back({.name = name, .gigabytes_per_second = measured->value, .holds = c.bytes * count});
  }
  return roofs;
}

}  // namespace

double roofline::limit(double intensity, std::size_t roof) const {
  return roof < roofs.size() ? std::min(peak_gigaflops, roofs[roof].gigabytes_per_second * intensity) : 0;
}
double roofline::ridge(std::size_t roof) const {
  const double bandwidth = roof < roofs.size() ? roofs[roof].gigabytes_per_second : 0;
  return bandwidth > 0 ? peak_gigaflops / bandwidth : 0;
}

roofline roofline_of(const bench_run& run) {
  roofline r{.roofs = roofs_of(run)};
  for (const bench_limit& l : run.limits)
    if (l.unit == "GFLOP/s" && l.name.find("GPU") == l.name.npos)
      r.peak_gigaflops = std::max(r.peak_gigaflops, l.value);
  for (const bench_workload& w : run.workloads) {
    const bench_entrant* best = nullptr;
    for (const bench_entrant& e : w.entrants)
      if (e.role == "ours" && e.hardware != "gpu" && e.seconds.median > 0 &&
          (!best || e.seconds.median < best->seconds.median))
        best = &e;
    if (best == nullptr || w.bytes <= 0 || w.operations <= 0) continue;
    std::size_t roof = 0;
    while (roof + 1 < r.roofs.size() && w.bytes <= r.roofs[roof + 1].holds) ++roof;
    r.points.push_back({.name = w.name,
                        .intensity = w.operations / w.bytes,
                        .gigaflops = w.operations / best->seconds.median * 1e-9,
                        .roof = roof});
  }
  return r;
}

bool above_roof(const roofline& r, const roofline_point& p) {
  return p.gigaflops > tolerance * r.limit(p.intensity, p.roof);
}

std::string bound_text(const roofline& r, const roofline_point& p) {
  const double limit = r.limit(p.intensity, p.roof), ridge = r.ridge(p.roof);
  if (limit <= 0) return fmt::format("{}: this run has no measured limits to compare with.", p.name);
  const bool by_bandwidth = p.intensity < ridge;
  const std::string source = p.roof == 0 ? "memory" : "the " + r.roofs[p.roof].name;
  const std::string bounded_by = by_bandwidth ? source : "arithmetic";
  const double share = p.gigaflops / limit;
  if (above_roof(r, p))
    return fmt::format(
        "{}: {:.0f} % of what {} allows can't be. The measurement is wrong, or its data stays in a faster cache and "
        "fewer bytes move than are counted.",
        p.name, 100 * share, bounded_by);
  const std::string bound =
      by_bandwidth
          ? fmt::format(
                "bound by {}: {:.3g} operations per byte, and {:.3g} would be needed to keep the arithmetic units busy",
                source, p.intensity, ridge)
          : fmt::format("bound by arithmetic: {:.3g} operations per byte are more than the {:.3g} that {} can feed",
                        p.intensity, ridge, source);
  const char* near = share >= 0.8   ? "it is at the limit"
                     : share >= 0.4 ? "there is something to gain"
                                    : "something else holds it back";
  return fmt::format("{}: {}. It reaches {:.3g} of the {:.3g} GFLOP/s that {} allows it, {:.0f} %: {}.", p.name, bound,
                     p.gigaflops, limit, bounded_by, 100 * share, near);
}

workbook::xy_plot roofline_plot(const roofline& r) {
  workbook::xy_plot plot{.title = "Roofline",
                         .x = {.label = "operations per byte", .unit = "FLOP/B", .log = true},
                         .y = {.label = "speed", .unit = "GFLOP/s", .log = true}};
  double low = r.ridge(0) / 30, high = r.ridge(0) * 30;
  for (const roofline_point& p : r.points) {
    low = std::min(low, p.intensity / 2);
    high = std::max(high, p.intensity * 2);
  }
  for (std::size_t roof = 0; roof < r.roofs.size(); ++roof) {
    const double ridge = r.ridge(roof);
    if (ridge <= low || ridge >= high) continue;  // nothing was measured, or no point is near
    // They share the level part, which memory's roof draws.
    std::vector<double> x{low, ridge}, y;
    if (roof == 0) x.push_back(high);
    for (const double v : x) y.push_back(r.limit(v, roof));
    plot.series.push_back({.name = r.roofs[roof].name, .x = x, .y = y});
  }
  const auto add_points = [&](std::string name, const auto& belongs) {
    std::vector<double> x, y;
    for (const roofline_point& p : r.points)
      if (belongs(p)) {
        x.push_back(p.intensity);
        y.push_back(p.gigaflops);
      }
    if (!x.empty())
      plot.series.push_back({.name = std::move(name), .x = x, .y = y, .style = workbook::drawn_as::points});
  };
  for (std::size_t roof = 0; roof < r.roofs.size(); ++roof)
    add_points("ours, from " + (roof == 0 ? "memory" : "the " + r.roofs[roof].name),
               [&](const roofline_point& p) { return p.roof == roof && !above_roof(r, p); });
  add_points("above their roof: an error in the measurement",
             [&](const roofline_point& p) { return above_roof(r, p); });
  return plot;
}

}  // namespace viewer
