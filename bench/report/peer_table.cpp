#include "bench/report/peer_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
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
  constexpr std::array columns{by_hand, "Numba", "NumPy", "SciPy", "PoCL", "JAX", "PyTorch"};
  using cells = std::array<std::string, columns.size()>;
  const auto line = [](std::string_view name, std::string_view ours, const cells& peers, std::string_view ratio,
                       std::string_view winner) {
    std::string written = fmt::format("  {:<24}{:>10}", name, ours);
    for (const std::string& peer : peers) written += fmt::format("{:>10}", peer);
    return written + fmt::format("   {:<20}{}\n", ratio, winner);
  };
  std::string text;
  std::map<std::string, std::size_t> wins;
  for (const row& r : rows) {
    const auto c = compare_with_peers(r);
    if (!c) continue;
    cells times;
    for (std::size_t i = 0; i < columns.size(); ++i)
      for (const entrant* peer : c->peers)
        if (name_of(*peer) == columns[i]) times[i] = time_text(median(peer->seconds));
    ++wins[c->winner == peer_comparison::peer_wins ? std::string(name_of(*c->best)) : winner_text(*c)];
    text += line(r.workload.name, time_text(median(c->ours->seconds)), times,
                 fmt::format("{:.2f} [{:.2f}, {:.2f}]", c->ratio.median, c->ratio.low, c->ratio.high), winner_text(*c));
  }
  if (text.empty()) return "";
  cells names;
  std::ranges::copy(columns, names.begin());
  text = "\nOurs and the peers: the fastest of each, median time of a call\n" +
         line("", "ours", names, "ours / best peer", "wins") + text;
  std::string sum;
  for (const auto& [who, count] : wins) sum += fmt::format("{}{} {}", sum.empty() ? "" : ", ", who, count);
  return text + "  won: " + sum + "\n";
}

}  // namespace bench
