#include "bench/report/growth.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

namespace bench {
namespace {

const entrant* find(const row& r, const std::string& name) {
  const auto found = std::ranges::find(r.entrants, name, &entrant::name);
  return found == r.entrants.end() ? nullptr : &*found;
}

// The names of all entrants that `chosen` is true of, in the order in which the sizes have them.
template <class F>
std::vector<std::string> names_of(const std::vector<row>& sizes, F chosen) {
  std::vector<std::string> names;
  for (const row& r : sizes)
    for (const entrant& e : r.entrants)
      if (chosen(e) && std::ranges::find(names, e.name) == names.end()) names.push_back(e.name);
  return names;
}

std::set<std::string> programs_of(const std::vector<row>& sizes) {
  std::set<std::string> programs;
  for (const row& r : sizes)
    for (const entrant& e : r.entrants)
      if (!e.program.empty()) programs.insert(e.program);
  return programs;
}

std::optional<entrant_growth> growth_of(const std::vector<row>& sizes, const std::string& name) {
  std::vector<double> elements, seconds;
  enum role role = role::ours;
  for (const row& r : sizes)
    if (const entrant* e = find(r, name)) {
      elements.push_back(static_cast<double>(r.workload.elements));
      seconds.push_back(median(e->seconds));
      role = e->role;
    }
  if (elements.size() < 2) return {};
  return entrant_growth{name, role, fit_power_law(elements, seconds)};
}

// Where the line between two points, with both axes logarithmic, passes 1.
double passes_one(double x0, double ratio0, double x1, double ratio1) {
  return x0 * std::pow(x1 / x0, std::log(ratio0) / std::log(ratio0 / ratio1));
}

// The entrant for one side of a crossover at a size; null if there is none.
struct side {
  std::string name;
  std::function<const entrant*(const row&)> at;
};
side of_name(const std::string& name) {
  return {name, [name](const row& r) { return find(r, name); }};
}
template <class F>
side fastest_of(const std::string& whom, const F& chosen) {
  return {"the fastest of " + whom, [chosen](const row& r) {
            const entrant* best = nullptr;
            for (const entrant& e : r.entrants)
              if (chosen(e) && (!best || median(e.seconds) < median(best->seconds))) best = &e;
            return best;
          }};
}

std::optional<crossover> crossover_of(const std::vector<row>& sizes, const side& winner, const side& other) {
  std::vector<double> elements;
  std::vector<estimate> ratios;
  for (const row& r : sizes)
    if (const entrant *a = winner.at(r), *b = other.at(r); a && b) {
      elements.push_back(static_cast<double>(r.workload.elements));
      ratios.push_back(paired_ratio(a->seconds, b->seconds));
    }
  if (elements.size() < 2) return {};
  crossover c{.winner = winner.name, .other = other.name};
  std::size_t first = ratios.size();  // of the sizes at which the winner wins
  for (std::size_t i = ratios.size(); i-- > 0 && ratios[i].low <= 1;)
    if (ratios[i].high < 1) first = i;
  for (std::size_t i = 0; i < ratios.size(); ++i)
    if (ratios[i].low > 1) c.after = elements[i];
  if (first == ratios.size()) return c;
  c.from = elements[first];
  for (std::size_t i = first; i-- > 0 && !c.about;)
    if (ratios[i].median >= 1)
      c.about = passes_one(elements[i], ratios[i].median, elements[i + 1], ratios[i + 1].median);
  return c;
}

}  // namespace

growth evaluate_growth(std::vector<row> sizes) {
  growth g{.sizes = std::move(sizes)};
  for (const std::string& name : names_of(g.sizes, [](const entrant& e) { return e.role != role::limit; }))
    if (auto entrant = growth_of(g.sizes, name)) g.entrants.push_back(std::move(*entrant));
  const auto names_by = [&](role r, bool one_core) {
    return names_of(g.sizes,
                    [=](const entrant& e) { return e.role == r && (e.hardware == hardware::one_core) == one_core; });
  };
  auto on_one_core = names_by(role::ours, true);
  if (on_one_core.empty()) on_one_core = names_by(role::peer, true);
  for (const std::string& winner : names_by(role::ours, false))
    for (const std::string& one_core : on_one_core)
      if (auto c = crossover_of(g.sizes, of_name(winner), of_name(one_core))) g.crossovers.push_back(std::move(*c));
  const auto ours =
      fastest_of("ours", [](const entrant& e) { return e.role == role::ours && e.hardware != hardware::gpu; });
  for (const std::string& program : programs_of(g.sizes))
    if (auto c = crossover_of(g.sizes, ours,
                              fastest_of(program, [program](const entrant& e) { return e.program == program; })))
      g.crossovers.push_back(std::move(*c));
  return g;
}

std::vector<growth> growths_of(std::vector<std::vector<row>> families, const std::vector<row>& rows) {
  std::vector<growth> growths;
  for (std::vector<row>& sizes : families) {
    for (const row& full : rows)
      if (full.workload.name == sizes.back().workload.name && full.workload.elements > sizes.back().workload.elements) {
        sizes.push_back(full);
        break;
      }
    growths.push_back(evaluate_growth(std::move(sizes)));
  }
  return growths;
}

}  // namespace bench
