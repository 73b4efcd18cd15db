#include "bench/report/json.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "bench/report/evaluation.h"
#include "bench/report/peer_table.h"
#include "bench/report/scaling.h"

namespace bench {
namespace {

using json = nlohmann::ordered_json;

json interval(const estimate& e) { return {{"median", e.median}, {"low", e.low}, {"high", e.high}}; }

json describe(const summary& s) {
  return {{"median", s.median},
          {"lower_quartile", s.lower_quartile},
          {"upper_quartile", s.upper_quartile},
          {"best", s.best}};
}

json describe(const machine& m) {
  json caches = json::array();
  for (const cache& c : m.caches) caches.push_back({{"level", c.level}, {"bytes", c.bytes}, {"cores", c.cores}});
  return {{"processor", m.processor},
          {"architecture", m.architecture},
          {"cores", m.cores},
          {"caches", caches},
          {"vector_width", m.vector_width},
          {"huge_pages", m.huge_pages},
          {"memory_bytes", m.memory},
          {"gpu", m.gpu},
          {"load_before", m.load}};
}

json describe(const statement& s) {
  json one = {{"name", s.who->name},
              {"role", to_string(s.who->role)},
              {"hardware", to_string(s.who->hardware)},
              {"calls_per_sample", s.who->calls},
              {"seconds", describe(s.seconds)}};
  if (!s.who->program.empty()) one["program"] = s.who->program;
  if (s.elements) one["elements_per_second"] = *s.elements;
  if (s.gigabytes) one["gigabytes_per_second"] = *s.gigabytes;
  if (s.gigaflops) one["gigaflops"] = *s.gigaflops;
  if (s.of_limit) one["share_of_limit"] = interval(*s.of_limit);
  if (s.over_peer) one["ratio_to_peer"] = interval(*s.over_peer);
  if (s.reached) {
    one["wanted"] = s.wanted->text;
    one["verdict"] = to_string(*s.reached);
  }
  one["samples"] = s.who->seconds;
  return one;
}

json describe(const entrant_growth& e) {
  json one = {{"name", e.name}, {"role", to_string(e.role)}, {"exponent", e.law.exponent}};
  if (std::isfinite(e.law.high)) one["low"] = e.law.low, one["high"] = e.law.high;
  one["factor"] = e.law.factor;
  one["deviation"] = e.law.deviation;
  return one;
}

json describe(const crossover& c) {
  json one = {{"winner", c.winner}, {"other", c.other}};
  if (c.after > 0) one["not_at"] = c.after;
  if (c.about) one["about"] = *c.about;
  if (std::isfinite(c.from)) one["for_sure_at"] = c.from;
  return one;
}

json describe(const row& r) {
  const workload& w = r.what;
  json one = {{"name", w.name}, {"text", w.text}};
  if (w.elements > 0) {
    one["elements"] = w.elements;
    one["dtype"] = w.dtype;
  }
  if (w.bytes > 0) one["bytes"] = w.bytes;
  if (w.operations > 0) one["operations"] = w.operations;
  if (!r.skipped.empty()) one["skipped"] = r.skipped;
  if (!r.wrong.empty()) one["wrong"] = r.wrong;
  one["disturbed"] = r.disturbed;
  if (!r.left_out.empty()) one["left_out"] = r.left_out;
  if (const auto c = compare_with_peers(r))
    one["peers"] = {{"ours", c->ours->name},
                    {"best_peer", c->best->name},
                    {"ratio", interval(c->ratio)},
                    {"winner", c->winner == peer_comparison::even        ? "even"
                               : c->winner == peer_comparison::ours_wins ? c->ours->name
                                                                         : c->best->name}};
  one["entrants"] = json::array();
  for (const statement& s : evaluate(r)) one["entrants"].push_back(describe(s));
  return one;
}

// What stands among the workloads isn't repeated.
json describe(const growth& g, const std::vector<row>& rows) {
  json one = {{"name", g.sizes.front().what.name},
              {"sizes", json::array()},
              {"exponents", json::array()},
              {"crossovers", json::array()}};
  for (const row& r : g.sizes) {
    const auto is_this = [&](const row& other) {
      return other.what.name == r.what.name && other.what.elements == r.what.elements;
    };
    if (std::ranges::none_of(rows, is_this)) one["sizes"].push_back(describe(r));
  }
  for (const entrant_growth& e : g.entrants) one["exponents"].push_back(describe(e));
  for (const crossover& c : g.crossovers) one["crossovers"].push_back(describe(c));
  return one;
}

json describe(const scaling& s) {
  json one = {{"name", s.what.name}, {"text", s.what.text}, {"elements", s.what.elements}, {"dtype", s.what.dtype}};
  if (!s.skipped.empty()) one["skipped"] = s.skipped;
  if (!s.wrong.empty()) one["wrong"] = s.wrong;
  one["entrants"] = json::array();
  for (const auto& entrant : evaluate_scaling(s)) {
    json on = json::array();
    for (const scaled& k : entrant)
      on.push_back({{"cores", k.cores},
                    {"seconds", describe(k.seconds)},
                    {"speedup", interval(k.speedup)},
                    {"efficiency", k.efficiency},
                    {"samples", k.who->seconds}});
    one["entrants"].push_back(
        {{"name", entrant.front().who->name}, {"role", to_string(entrant.front().who->role)}, {"on", on}});
  }
  return one;
}

}  // namespace

json to_json(const run_record& record) {
  json document = {
      {"schema", "gridstride-bench/2"}, {"command", record.command},   {"date", record.date},
      {"commit", record.commit},        {"compiler", record.compiler}, {"flags", record.flags},
      {"build", record.build},          {"flavour", record.flavour},   {"quick", record.quick},
      {"rounds", record.rounds},        {"seconds", record.seconds},   {"machine", describe(record.machine)},
      {"limits", json::array()},        {"workloads", json::array()},  {"growth", json::array()}};
  if (!record.peers.empty()) document["peers"] = record.peers;
  if (!record.absent_peers.empty()) document["absent_peers"] = record.absent_peers;
  for (const limit& l : record.limits)
    document["limits"].push_back(
        {{"name", l.name}, {"value", l.value}, {"unit", l.unit}, {"seconds", describe(l.seconds)}});
  for (const row& r : record.rows) document["workloads"].push_back(describe(r));
  for (const growth& g : record.growths) document["growth"].push_back(describe(g, record.rows));
  if (!record.scalings.empty()) document["scaling"] = json::array();
  for (const scaling& s : record.scalings) document["scaling"].push_back(describe(s));
  return document;
}

json to_json(const comparison_with_baseline& c) {
  json one = {{"file", c.then.file.filename().string()},
              {"date", c.then.date},
              {"commit", c.then.commit},
              {"differences", c.differences},
              {"drift", {{"low", c.drift.low}, {"high", c.drift.high}}},
              {"compared", c.changes.size()},
              {"unpaired", c.unpaired},
              {"changes", json::array()}};
  for (const change& k : c.changes)
    if (k.exceeds())
      one["changes"].push_back({{"workload", k.workload},
                                {"elements", k.elements},
                                {"entrant", k.name},
                                {"role", to_string(k.role)},
                                {"ratio", interval(k.ratio)},
                                {"drift", {{"low", k.drift.low}, {"high", k.drift.high}}}});
  return one;
}

}  // namespace bench
