#include "runtime/world/deadlock_watch.h"

#include <algorithm>

#include "runtime/world/patience.h"

namespace gs::inline GS_FLAVOUR::detail {
namespace {

using clock = std::chrono::steady_clock;
constexpr auto between_reports = std::chrono::milliseconds(1000);
constexpr std::uint32_t enough_reports = 3;  // what has been said before has come everywhere by then
constexpr int state_tag = 1;

}  // namespace

deadlock_watch::deadlock_watch(const transport& library) : library_(library), rank_(library.rank(library.everybody())) {
  library.duplicate(library.everybody(), &everybody_);
  states_.resize(static_cast<std::size_t>(library.size(everybody_)));
}

deadlock_watch& deadlock_watch::of(const transport& library) {
  static deadlock_watch& watch = *new deadlock_watch(library);  // messages may be under way until the very end
  return watch;
}

void deadlock_watch::tell(const rank_state& state) {
  states_[static_cast<std::size_t>(rank_)] = state;
  for (int r = 0; r < static_cast<int>(states_.size()); ++r) {
    if (r == rank_) continue;
    message& m = under_way_.emplace_back(packed_state(state), handle{});
    library_.send(everybody_, {m.bytes.data(), m.bytes.size()}, r, state_tag, false, &m.pending);
  }
}

void deadlock_watch::listen() {
  std::erase_if(under_way_, [&](message& m) {
    bool done = false;
    library_.test(&m.pending, &done, nullptr);
    return done;
  });
  for (;;) {
    bool found = false;
    receipt comes;
    handle taken{};
    if (library_.probe(everybody_, -1, state_tag, &found, &comes, &taken) != 0 || !found) return;
    std::vector<char> bytes(comes.bytes);
    library_.receive_probed(&taken, {bytes.data(), bytes.size()});
    states_[static_cast<std::size_t>(comes.from)] = unpacked_state(bytes);
  }
}

deadlock_watch::wait::wait(deadlock_watch& watch, rank_state state)
    : watch_(watch), state_(std::move(state)), next_report_(clock::now() + between_reports) {}

deadlock_watch::wait::~wait() {
  if (state_.reports > 0) watch_.tell({});
}

std::string deadlock_watch::wait::look() {
  pause_after(looks_++);
  if (looks_ < 50) return {};
  watch_.listen();
  if (clock::now() < next_report_) return {};
  next_report_ += between_reports;
  ++state_.reports;
  watch_.tell(state_);
  const std::vector<bool> stuck = stuck_ranks(watch_.states_, enough_reports);
  const auto is_first = [&] {
    for (std::size_t r = 0; r < stuck.size(); ++r)
      if (stuck[r] && watch_.states_[r].is == rank_state::kind::waits)
        return r == static_cast<std::size_t>(watch_.rank_);
    return false;
  };
  return is_first() ? stuck_text(watch_.states_, stuck) : "";
}

void deadlock_watch::end() {
  rank_state ended;
  ended.is = rank_state::kind::has_ended;
  tell(ended);
  const auto has_ended = [](const rank_state& s) { return s.is == rank_state::kind::has_ended; };
  for (unsigned looks = 0; !under_way_.empty() || !std::ranges::all_of(states_, has_ended); ++looks) {
    pause_after(looks);
    listen();
  }
}

}  // namespace gs::inline GS_FLAVOUR::detail
