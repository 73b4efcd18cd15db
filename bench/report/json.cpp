#include "bench/report/json.h"

#include <nlohmann/json.hpp>

#include "bench/report/evaluation.h"
#include "bench/report/peer_table.h"

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

}  // namespace

json to_json(const run_record& record) {
  json document = {{"schema", "gridstride-bench/1"}, {"command", record.command},           {"date", record.date},
                   {"commit", record.commit},        {"compiler", record.compiler},         {"flags", record.flags},
                   {"build", record.build},          {"flavour", record.flavour},           {"quick", record.quick},
                   {"rounds", record.rounds},        {"machine", describe(record.machine)}, {"limits", json::array()},
                   {"workloads", json::array()}};
  if (!record.peers.empty()) document["peers"] = record.peers;
  if (!record.absent_peers.empty()) document["absent_peers"] = record.absent_peers;
  for (const limit& l : record.limits)
    document["limits"].push_back(
        {{"name", l.name}, {"value", l.value}, {"unit", l.unit}, {"seconds", describe(l.seconds)}});
  for (const row& r : record.rows) document["workloads"].push_back(describe(r));
  return document;
}

}  // namespace bench
