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

json describe(const statement& s) {
  json object = {{"name", s.entrant->name},
                 {"role", to_string(s.entrant->role)},
                 {"hardware", to_string(s.entrant->hardware)},
                 {"calls_per_sample", s.entrant->calls},
                 {"seconds", describe(s.seconds)}};
  if (!s.entrant->program.empty()) object["program"] = s.entrant->program;
  if (s.elements) object["elements_per_second"] = *s.elements;
  if (s.gigabytes) object["gigabytes_per_second"] = *s.gigabytes;
  if (s.gigaflops) object["gigaflops"] = *s.gigaflops;
  if (s.of_limit) object["share_of_limit"] = interval(*s.of_limit);
  if (s.over_peer) object["ratio_to_peer"] = interval(*s.over_peer);
  if (s.reached) {
    object["wanted"] = s.wanted->text;
    object["verdict"] = to_string(*s.reached);
  }
  object["samples"] = s.entrant->seconds;
  return object;
}

json describe(const entrant_growth& e) {
  json object = {{"name", e.name}, {"role", to_string(e.role)}, {"exponent", e.law.exponent}};
  if (std::isfinite(e.law.high)) object["low"] = e.law.low, object["high"] = e.law.high;
  object["factor"] = e.law.factor;
  object["deviation"] = e.law.deviation;
  return object;
}

json describe(const crossover& c) {
  json object = {{"winner", c.winner}, {"other", c.other}};
  if (c.after > 0) object["not_at"] = c.after;
  if (c.about) object["about"] = *c.about;
  if (std::isfinite(c.from)) object["for_sure_at"] = c.from;
  return object;
}

json describe(const row& r) {
  const workload& w = r.workload;
  json object = {{"name", w.name}, {"text", w.text}};
  if (w.elements > 0) {
    object["elements"] = w.elements;
    object["dtype"] = w.dtype;
  }
  if (w.bytes > 0) object["bytes"] = w.bytes;
  if (w.operations > 0) object["operations"] = w.operations;
  if (!r.skipped.empty()) object["skipped"] = r.skipped;
  if (!r.wrong.empty()) object["wrong"] = r.wrong;
  object["disturbed"] = r.disturbed;
  if (!r.left_out.empty()) object["left_out"] = r.left_out;
  if (const auto c = compare_with_peers(r))
    object["peers"] = {{"ours", c->ours->name},
                       {"best_peer", c->best->name},
                       {"ratio", interval(c->ratio)},
                       {"winner", c->winner == peer_comparison::even        ? "even"
                                  : c->winner == peer_comparison::ours_wins ? c->ours->name
                                                                            : c->best->name}};
  object["entrants"] = json::array();
  for (const statement& s : evaluate(r)) object["entrants"].push_back(describe(s));
  return object;
}

// Sizes that are listed among the workloads aren't repeated.
json describe(const growth& g, const std::vector<row>& rows) {
  json object = {{"name", g.sizes.front().workload.name},
                 {"sizes", json::array()},
                 {"exponents", json::array()},
                 {"crossovers", json::array()}};
  for (const row& r : g.sizes) {
    const auto is_this = [&](const row& other) {
      return other.workload.name == r.workload.name && other.workload.elements == r.workload.elements;
    };
    if (std::ranges::none_of(rows, is_this)) object["sizes"].push_back(describe(r));
  }
  for (const entrant_growth& e : g.entrants) object["exponents"].push_back(describe(e));
  for (const crossover& c : g.crossovers) object["crossovers"].push_back(describe(c));
  return object;
}

json describe(const scaling& s) {
  json object = {{"name", s.workload.name},
                 {"text", s.workload.text},
                 {"elements", s.workload.elements},
                 {"dtype", s.workload.dtype}};
  if (!s.skipped.empty()) object["skipped"] = s.skipped;
  if (!s.wrong.empty()) object["wrong"] = s.wrong;
  object["entrants"] = json::array();
  for (const auto& entrant : evaluate_scaling(s)) {
    json on = json::array();
    for (const scaled& k : entrant)
      on.push_back({{"cores", k.cores},
                    {"seconds", describe(k.seconds)},
                    {"speedup", interval(k.speedup)},
                    {"efficiency", k.efficiency},
                    {"samples", k.entrant->seconds}});
    object["entrants"].push_back(
        {{"name", entrant.front().entrant->name}, {"role", to_string(entrant.front().entrant->role)}, {"on", on}});
  }
  return object;
}

}  // namespace

json to_json(const machine& m) {
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

json to_json(const run_record& record) {
  json document = {
      {"schema", "gridstride-bench/2"}, {"command", record.command},   {"date", record.date},
      {"commit", record.commit},        {"compiler", record.compiler}, {"flags", record.flags},
      {"build", record.build},          {"flavour", record.flavour},   {"quick", record.quick},
      {"rounds", record.rounds},        {"seconds", record.seconds},   {"machine", to_json(record.machine)},
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
  json object = {{"file", c.then.file.filename().string()},
                 {"date", c.then.date},
                 {"commit", c.then.commit},
                 {"differences", c.differences},
                 {"drift", {{"low", c.drift.low}, {"high", c.drift.high}}},
                 {"compared", c.changes.size()},
                 {"unpaired", c.unpaired},
                 {"changes", json::array()}};
  for (const change& k : c.changes)
    if (k.exceeds())
      object["changes"].push_back({{"workload", k.workload},
                                   {"elements", k.elements},
                                   {"entrant", k.name},
                                   {"role", to_string(k.role)},
                                   {"ratio", interval(k.ratio)},
                                   {"drift", {{"low", k.drift.low}, {"high", k.drift.high}}}});
  return object;
}

}  // namespace bench
