#include "bench/report/baseline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "bench/report/text.h"
#include "runtime/core/error.h"
#include "runtime/core/text_file.h"
#include "workbook/json/read_json.h"

namespace bench {
namespace {

using document = workbook::read_json_value;

constexpr const char* schemas[] = {"gridstride-bench/1", "gridstride-bench/2"};

role role_in(const document& entrant) {
  const std::string name = entrant.at("role");
  for (const role r : {role::ours, role::peer, role::limit})
    if (name == to_string(r)) return r;
  throw std::invalid_argument(fmt::format("an entrant has the role '{}'", name));
}

double positive(double seconds) {
  if (!std::isfinite(seconds) || seconds <= 0)
    throw std::invalid_argument(fmt::format("a time of {} s is none", seconds));
  return seconds;
}

void read_workload(const document& w, std::vector<baseline::entrant>& into) {
  for (const document& e : w.at("entrants")) {
    baseline::entrant entry{w.at("name"), w.value("elements", 0.0), e.at("name"), role_in(e), e.at("samples")};
    if (entry.seconds.empty())
      throw std::invalid_argument(fmt::format("'{}' of {} has no samples", entry.name, entry.workload));
    std::ranges::for_each(entry.seconds, positive);
    into.push_back(std::move(entry));
  }
}

baseline read(const document& d, const std::filesystem::path& file) {
  const document& m = d.at("machine");
  baseline b{.file = file,
             .date = d.at("date"),
             .commit = d.at("commit"),
             .quick = d.at("quick"),
             .conditions = {{"processor", m.at("processor")},
                            {"number of cores", std::to_string(m.at("cores").get<int>())},
                            {"vector width", m.at("vector_width")},
                            {"huge pages", m.at("huge_pages")},
                            {"compiler", d.at("compiler")},
                            {"flags", d.at("flags")},
                            {"build", d.at("build")},
                            {"flavour", d.at("flavour")}},
             .limits = {},
             .entrants = {}};
  for (const document& l : d.at("limits"))
    b.limits.push_back({l.at("name"), l.at("unit"), positive(l.at("seconds").at("median"))});
  for (const document& w : d.at("workloads")) read_workload(w, b.entrants);
  if (const auto growths = d.find("growth"); growths != d.end())
    for (const document& g : *growths)
      for (const document& w : g.at("sizes")) read_workload(w, b.entrants);
  return b;
}

// The bandwidth of memory and the speed of arithmetic. A cache belongs to its core, a GPU has rows of its own, and the
// cost of a start or of an atomic addition varies too easily.
bool is_of_the_machine(const std::string& name, const std::string& unit) {
  if (name.find("cache") != name.npos || name.find("GPU") != name.npos) return false;
  return unit == "GB/s" || unit == "GFLOP/s";
}

void include(estimate& drift, double ratio) {
  drift.low = std::min(drift.low, ratio);
  drift.high = std::max(drift.high, ratio);
}

// Every row of a run; the row of a full size once.
std::vector<const row*> all_rows(const run_record& record) {
  std::vector<const row*> rows;
  for (const row& r : record.rows) rows.push_back(&r);
  for (const growth& g : record.growths)
    for (const row& r : g.sizes) {
      const bool known = std::ranges::any_of(rows, [&](const row* other) {
        return other->workload.name == r.workload.name && other->workload.elements == r.workload.elements;
      });
      if (!known) rows.push_back(&r);
    }
  return rows;
}

const baseline::entrant* find(const baseline& then, const row& r, const entrant& e) {
  for (const baseline::entrant& earlier : then.entrants)
    if (earlier.workload == r.workload.name && earlier.name == e.name && earlier.role == e.role &&
        earlier.elements == static_cast<double>(r.workload.elements))
      return &earlier;
  return nullptr;
}

}  // namespace

baseline read_baseline(const std::filesystem::path& file) {
  const std::string task = fmt::format("comparing with {}", file.string());
  return read_baseline_text(gs::detail::read_text_file(file, task, workbook::json_limits().bytes), file);
}

baseline read_baseline_text(std::string_view text, const std::filesystem::path& file) {
  const auto refuse = [&](const std::string& found) {
    throw gs::error(fmt::format("comparing with {}", file.string()), found,
                    "name a file that ./gridstride bench --json wrote");
  };
  const document d = workbook::read_json(text, fmt::format("comparing with {}", file.string()),
                                         "name a file that ./gridstride bench --json wrote");
  const std::string schema = d.is_object() && d.contains("schema") && d["schema"].is_string() ? d["schema"] : "";
  if (std::ranges::find(schemas, schema) == std::end(schemas))
    refuse(fmt::format("its schema is '{}', not one of '{}'", schema, fmt::join(schemas, "' and '")));
  try {
    return read(d, file);
  } catch (const nlohmann::detail::exception& e) {
    refuse(fmt::format("a part is missing or of another kind ({})", e.what()));
  } catch (const std::invalid_argument& e) {
    refuse(e.what());
  }
  return {};
}

std::vector<std::pair<std::string, std::string>> conditions_of(const run_record& record) {
  const machine& m = record.machine;
  return {{"processor", m.processor},       {"number of cores", std::to_string(m.cores)},
          {"vector width", m.vector_width}, {"huge pages", m.huge_pages},
          {"compiler", record.compiler},    {"flags", record.flags},
          {"build", record.build},          {"flavour", record.flavour}};
}

bool comparison_with_baseline::slower() const {
  return same_machine && !quick && std::ranges::any_of(changes, [](const change& c) {
           return c.role == role::ours && c.exceeds() && c.ratio.low > 1;
         });
}

comparison_with_baseline compare(const run_record& now, baseline then) {
  comparison_with_baseline c{.then = std::move(then), .differences = {}, .changes = {}};
  c.quick = now.quick || c.then.quick;
  const auto conditions = conditions_of(now);
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    const auto& [condition, is] = conditions[i];
    const std::string& was = c.then.conditions[i].second;
    if (is == was) continue;
    c.differences.push_back(fmt::format("the {} was {} and is {}", condition, was, is));
    constexpr std::size_t of_the_machine = 2;
    if (i < of_the_machine) c.same_machine = false;
  }
  for (const limit& l : now.limits)
    for (const baseline::limit& before : c.then.limits)
      if (l.name == before.name && is_of_the_machine(l.name, l.unit))
        include(c.drift, l.seconds.median / before.seconds);

  std::size_t ours_now = 0, ours_then = 0, ours_paired = 0;
  for (const row* r : all_rows(now)) {
    estimate drift = c.drift;
    for (const entrant& e : r->entrants)
      if (const auto* before = find(c.then, *r, e); before && e.role == role::limit)
        include(drift, median(e.seconds) / median(before->seconds));
    for (const entrant& e : r->entrants) {
      ours_now += e.role == role::ours;
      const auto* before = find(c.then, *r, e);
      if (!before || e.role == role::limit) continue;
      ours_paired += e.role == role::ours;
      c.changes.push_back({r->workload.name, static_cast<double>(r->workload.elements), e.name, e.role,
                           unpaired_ratio(estimate_median(e.seconds), estimate_median(before->seconds)), drift});
    }
  }
  for (const baseline::entrant& e : c.then.entrants)
    ours_then += e.role == role::ours && std::ranges::find(now.rows, e.workload, [](const row& r) {
                                           return r.workload.name;
                                         }) != now.rows.end();
  c.unpaired = ours_now + ours_then - 2 * ours_paired;
  std::ranges::stable_sort(c.changes, std::greater<>{}, [](const change& k) { return k.ratio.median; });
  return c;
}

std::string comparison_text(const comparison_with_baseline& c) {
  std::string text =
      fmt::format("\nAgainst {}, of {}, commit {}\n", c.then.file.filename().string(), c.then.date, c.then.commit);
  for (const std::string& difference : c.differences) text += fmt::format("  NOTE: {}.\n", difference);
  if (!c.same_machine) text += "  NOTE: on another machine, a change says nothing about the code.\n";
  if (c.quick) text += "  NOTE: a quick run's figures mean nothing.\n";
  text += fmt::format("  The machine's own limits took {:.2f} to {:.2f} times as long.\n", c.drift.low, c.drift.high);
  const auto noticed = std::ranges::count_if(c.changes, &change::exceeds);
  for (const change& k : c.changes)
    if (k.exceeds())
      text += fmt::format("  {:<7}{:<25}{:>13}  {:<6}{:<36}{:<22} its limits {:.2f} to {:.2f}\n",
                          k.ratio.low > 1 ? "slower" : "faster", k.workload,
                          k.elements > 0 ? count_text(static_cast<std::size_t>(k.elements)) : "", to_string(k.role),
                          k.name, ratio_text(k.ratio), k.drift.low, k.drift.high);
  text += fmt::format("  {} of {} times differ by more than the noise", noticed, c.changes.size());
  if (c.unpaired > 0) text += fmt::format("; {} of ours have no partner in the other run", c.unpaired);
  return text + "\n";
}

}  // namespace bench
