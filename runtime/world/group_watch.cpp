#include "runtime/world/group_watch.h"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <string_view>

namespace gs::inline GS_FLAVOUR::detail {
namespace {

// What a rank calls, for the others to compare.
struct collective_call {
  std::array<char, 24> verb{};
  std::array<char, 72> place{};
  std::int32_t root = -1;
  std::uint32_t type = 0;
  std::uint64_t count = 0, element_bytes = 0;
};

template <std::size_t N>
void put(std::array<char, N>& to, std::string_view text) {
  text.copy(to.data(), N - 1);
}

collective_call described(const rank_call& call) {
  collective_call c;
  put(c.verb, call.verb);
  put(c.place, to_text(call.place));
  c.root = call.peer;
  c.type = static_cast<std::uint32_t>(call.memory.type);
  c.count = call.memory.count;
  c.element_bytes = call.memory.element_bytes;
  return c;
}

std::string elements_of(const collective_call& c) {
  return elements_text({nullptr, c.count, c.element_bytes, static_cast<number_type>(c.type)});
}

// What doesn't belong together in the calls of two ranks; empty if they do.
std::string difference(const collective_call& own, const collective_call& other, std::size_t rank, count_rule counts) {
  const auto there = [&](const std::string& what) {
    return fmt::format("rank {} {} at {}", rank, what, other.place.data());
  };
  if (std::strcmp(own.verb.data(), other.verb.data()) != 0) return there(fmt::format("calls {}", other.verb.data()));
  if (own.root != other.root) return there(fmt::format("names rank {} as the root", other.root));
  if (own.type != other.type || own.element_bytes != other.element_bytes ||
      (counts == count_rule::alike && own.count != other.count))
    return fmt::format("this rank gives {}, and {}", elements_of(own), there("gives " + elements_of(other)));
  return {};
}

}  // namespace

// The calls of all ranks, on their way here.
struct group_watch::agreement {
  collective_call own;
  std::vector<collective_call> all;
  count_rule counts;
  std::uint64_t turn;
  handle pending{};
};

group_watch::group_watch(const transport& library, handle ranks) : library_(library), ranks_(ranks) {
  static std::uint32_t made = 0;
  deadlock_watch::of(library);
  library.duplicate(ranks, &own_);
  const int rank = library.rank(library.everybody());
  members_.resize(static_cast<std::size_t>(library.size(ranks)));
  library.gather(own_, {const_cast<int*>(&rank), 1, sizeof rank}, members_.data(), {}, -1, nullptr);
  number_ = static_cast<std::uint64_t>(rank) << 32 | ++made;
  library.broadcast(own_, {&number_, 1, sizeof number_}, 0, nullptr);
}

group_watch::~group_watch() { library_.release(own_); }

rank_state group_watch::state_of(const rank_call& call, std::uint64_t turn) const {
  rank_state s;
  s.is = rank_state::kind::waits;
  s.call = fmt::format("{} at {}", call.verb, to_text(call.place));
  s.for_any = is_message(call) && call.peer < 0;
  s.group = number_, s.turn = turn;
  if (!is_message(call) || call.peer < 0)
    s.ranks = members_;
  else
    s.ranks = {members_[static_cast<std::size_t>(call.peer)]};
  return s;
}

template <class Done>
void group_watch::wait(const rank_state& state, Done done, const failure& fail) {
  if (done()) return;
  deadlock_watch::wait waiting(deadlock_watch::of(library_), state);
  while (!done())
    if (const std::string text = waiting.look(); !text.empty())
      fail("no rank can go on: " + text,
           "let one of them send what another waits for; a send may wait until its message is received");
}

std::unique_ptr<group_watch::agreement> group_watch::begin_agreement(const rank_call& call, count_rule counts) {
  auto a = std::make_unique<agreement>(described(call), std::vector<collective_call>(members_.size()), counts, ++turn_);
  library_.gather(own_, {&a->own, 1, sizeof a->own}, a->all.data(), {}, -1, &a->pending);
  return a;
}

bool group_watch::is_settled(agreement& a, const failure& fail) {
  bool done = false;
  library_.test(&a.pending, &done, nullptr);
  if (!done) return false;
  for (std::size_t r = 0; r < a.all.size(); ++r)
    if (const std::string text = difference(a.own, a.all[r], r, a.counts); !text.empty())
      fail(text,
           "let all ranks of the group call the same verbs, in the same order, with elements that belong together");
  return true;
}

void group_watch::agree(const rank_call& call, count_rule counts, const failure& fail) {
  agreement& a = *later_.insert_or_assign(0, begin_agreement(call, counts)).first->second;
  wait(state_of(call, a.turn), [&] { return is_settled(a, fail); }, fail);
}

void group_watch::agree_later(const rank_call& call, handle pending) {
  later_.insert_or_assign(pending, begin_agreement(call, count_rule::alike));
}

int group_watch::finish(handle& pending, const rank_call& call, receipt* came, const failure& fail) {
  const auto later = later_.find(pending);
  const std::uint64_t turn = later != later_.end() ? later->second->turn : is_message(call) ? 0 : turn_;
  const rank_state state = state_of(call, turn);
  if (later != later_.end()) {
    wait(state, [&] { return is_settled(*later->second, fail); }, fail);
    later_.erase(later);
  }
  int code = 0;
  wait(
      state,
      [&] {
        bool done = false;
        code = library_.test(&pending, &done, came);
        return done;
      },
      fail);
  return code;
}

int group_watch::test(handle& pending, bool* done, receipt* came, const failure& fail) {
  const auto later = later_.find(pending);
  if (later != later_.end()) {
    if (!is_settled(*later->second, fail)) return 0;
    later_.erase(later);
  }
  return library_.test(&pending, done, came);
}

int group_watch::probe(const rank_call& call, receipt* comes, handle* message, const failure& fail) {
  int code = 0;
  wait(
      state_of(call, 0),
      [&] {
        bool found = false;
        code = library_.probe(ranks_, call.peer, call.tag, &found, comes, message);
        return found || code != 0;
      },
      fail);
  return code;
}

}  // namespace gs::inline GS_FLAVOUR::detail
