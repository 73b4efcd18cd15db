#include "runtime/world/wait_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace gs::inline GS_FLAVOUR::detail {
namespace {

bool in_same_call(const rank_state& a, const rank_state& b) {
  return b.is == rank_state::kind::waits && a.turn != 0 && a.turn == b.turn && a.group == b.group;
}

// Of those that a waiting rank waits for, the ones that haven't come.
std::vector<int> missing_ranks(std::span<const rank_state> all, const rank_state& waiting) {
  std::vector<int> missing;
  for (const int r : waiting.ranks)
    if (!in_same_call(waiting, all[static_cast<std::size_t>(r)])) missing.push_back(r);
  return missing;
}

bool may_go_on(std::span<const rank_state> all, const rank_state& waiting, const std::vector<bool>& stuck) {
  const auto is_stuck = [&](int r) { return stuck[static_cast<std::size_t>(r)]; };
  const std::vector<int> missing = missing_ranks(all, waiting);
  return waiting.for_any ? !std::ranges::all_of(missing, is_stuck) : std::ranges::none_of(missing, is_stuck);
}

struct fixed_part {  // of a packed state
  rank_state::kind is;
  std::uint32_t reports;
  std::uint64_t group, turn, for_any, ranks;
};

}  // namespace

std::vector<bool> stuck_ranks(std::span<const rank_state> all, std::uint32_t reports) {
  std::vector<bool> stuck(all.size());
  for (std::size_t r = 0; r < all.size(); ++r)
    stuck[r] =
        all[r].is == rank_state::kind::has_ended || (all[r].is == rank_state::kind::waits && all[r].reports >= reports);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t r = 0; r < all.size(); ++r)
      if (stuck[r] && all[r].is == rank_state::kind::waits && may_go_on(all, all[r], stuck)) {
        stuck[r] = false;
        changed = true;
      }
  }
  return stuck;
}

std::string stuck_text(std::span<const rank_state> all, const std::vector<bool>& stuck) {
  std::vector<std::string> sentences;
  for (std::size_t r = 0; r < all.size(); ++r) {
    if (!stuck[r]) continue;
    if (all[r].is == rank_state::kind::has_ended) {
      sentences.push_back(fmt::format("rank {} has ended", r));
      continue;
    }
    const std::vector<int> missing = missing_ranks(all, all[r]);
    const std::string peers =
        all[r].for_any ? "any rank"
                       : fmt::format("{} {}", missing.size() == 1 ? "rank" : "ranks", fmt::join(missing, ", "));
    sentences.push_back(fmt::format("rank {} waits for {} in {}", r, peers, all[r].call));
  }
  return fmt::format("{}", fmt::join(sentences, ", "));
}

std::vector<char> packed_state(const rank_state& s) {
  const fixed_part fixed{s.is, s.reports, s.group, s.turn, s.for_any, s.ranks.size()};
  std::vector<char> bytes(sizeof fixed + s.ranks.size() * sizeof(int) + s.call.size());
  std::memcpy(bytes.data(), &fixed, sizeof fixed);
  if (!s.ranks.empty()) std::memcpy(bytes.data() + sizeof fixed, s.ranks.data(), s.ranks.size() * sizeof(int));
  std::ranges::copy(s.call, bytes.end() - static_cast<std::ptrdiff_t>(s.call.size()));
  return bytes;
}

rank_state unpacked_state(std::span<const char> bytes) {
  fixed_part fixed{};
  std::memcpy(&fixed, bytes.data(), sizeof fixed);
  rank_state s{fixed.is, fixed.reports, fixed.group, fixed.turn, fixed.for_any != 0, std::vector<int>(fixed.ranks), {}};
  const std::span<const char> rest = bytes.subspan(sizeof fixed);
  if (fixed.ranks > 0) std::memcpy(s.ranks.data(), rest.data(), fixed.ranks * sizeof(int));
  const std::span<const char> call = rest.subspan(fixed.ranks * sizeof(int));
  s.call.assign(call.begin(), call.end());
  return s;
}

}  // namespace gs::inline GS_FLAVOUR::detail
