#include "bench/report/peer_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "bench/report/text.h"

namespace bench {
namespace {

constexpr const char* by_hand = "by hand";

std::string_view name_of(const entrant& e) { return e.program.empty() ? by_hand : std::string_view(e.program); }

bool faster(const entrant* a, const entrant* b) { return !b || median(a->seconds) < median(b->seconds); }

std::string winner_text(const peer_comparison& c) {
  if (c.winner == peer_comparison::even) return "even";
  return c.winner == peer_comparison::ours_wins ? "ours" : c.best->name;
}

}  // namespace

std::optional<peer_comparison> compare_with_peers(const row& r) {
  peer_comparison c{};
  std::map<std::string, const entrant*> fastest_of;
  for (const entrant& e : r.entrants) {
    if (e.hardware == hardware::gpu) continue;  // the peers have none
    if (e.role == role::ours && faster(&e, c.ours)) c.ours = &e;
    if (e.role != role::peer) continue;
    if (const entrant*& known = fastest_of[e.program]; faster(&e, known)) known = &e;
    if (faster(&e, c.best)) c.best = &e;
  }
  for (const auto& [program, peer] : fastest_of) c.peers.push_back(peer);
  if (!c.ours || c.peers.empty() || c.peers.back()->program.empty()) return std::nullopt;
  c.ratio = paired_ratio(c.ours->seconds, c.best->seconds);
  c.winner = c.ratio.high < 1  ? peer_comparison::ours_wins
             : c.ratio.low > 1 ? peer_comparison::peer_wins
                               : peer_comparison::even;
  return c;
}

std::string peer_table_text(const std::vector<row>& rows) {
  std::vector<std::pair<const row*, peer_comparison>> compared;
  std::vector<std::string_view> programs{by_hand};
  for (const row& r : rows) {
    const auto c = compare_with_peers(r);
    if (!c) continue;
    for (const entrant* peer : c->peers)
      if (std::ranges::find(programs, name_of(*peer)) == programs.end()) programs.push_back(name_of(*peer));
    compared.emplace_back(&r, *c);
  }
  if (compared.empty()) return "";
  std::string text = "\nOurs and the peers: the fastest of each, median time of a call\n";
  text += fmt::format("  {:<24}{:>10}", "", "ours");
  for (const std::string_view program : programs) text += fmt::format("{:>10}", program);
  text += fmt::format("   {:<20}{}\n", "ours / best peer", "wins");
  std::map<std::string, std::size_t> wins;
  for (const auto& [r, c] : compared) {
    text += fmt::format("  {:<24}{:>10}", r->workload.name, time_text(median(c.ours->seconds)));
    for (const std::string_view program : programs) {
      const auto peer = std::ranges::find(c.peers, program, [](const entrant* e) { return name_of(*e); });
      text += fmt::format("{:>10}", peer == c.peers.end() ? "" : time_text(median((*peer)->seconds)));
    }
    ++wins[c.winner == peer_comparison::peer_wins ? std::string(name_of(*c.best)) : winner_text(c)];
    text += fmt::format("   {:<20}{}\n", ratio_text(c.ratio), winner_text(c));
  }
  std::string sum;
  for (const auto& [who, count] : wins) sum += fmt::format("{}{} {}", sum.empty() ? "" : ", ", who, count);
  return text + "  won: " + sum + "\n";
}

std::string peer_table_markdown(const run_record& record) {
  std::string lines;
  for (const row& r : record.rows)
    if (const auto c = compare_with_peers(r))
      lines += fmt::format("| `{}`: {} | {} | {} | {}{} | {} |\n", r.workload.name, r.workload.text,
                           time_text(median(c->ours->seconds)), ratio_text(c->ratio),
                           c->best->program.empty() ? fmt::format("{}: ", by_hand) : "", c->best->name,
                           time_text(median(c->best->seconds)));
  if (lines.empty()) return "";
  return "| workload | ours | ours / best peer | best peer | its time |\n| --- | ---: | ---: | --- | ---: |\n" + lines +
         fmt::format("\n{}{}, {} cores, {}; {}; {}; peers: {}.\n",
                     record.quick ? "A quick run, whose times mean nothing: " : "", record.machine.processor,
                     record.machine.cores, record.machine.vector_width, record.compiler, record.date.substr(0, 10),
                     fmt::join(record.peers, "; "));
}

}  // namespace bench
