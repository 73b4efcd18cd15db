#include "runtime/world/rank_window.h"

#include <fmt/format.h>

#include <exception>
#include <utility>

#include "runtime/world/message_ledger.h"

namespace gs::inline GS_FLAVOUR::detail {

rank_window::rank_window(std::shared_ptr<const rank_group> ranks, const operand& elements, const rank_place& place)
    : ranks_(std::move(ranks)), own_(elements), failures_(std::uncaught_exceptions()) {
  const rank_call call{"window", place, -1, -1, own_};
  ranks_->meet(call);
  ranks_->check_code(ranks_->library().make_window(ranks_->ranks(), own_.bytes(), &own_.data, &window_), call);
  ranks_->meet(call);  // nobody writes before all have filled theirs with zeros
}

// Where a rank fails, the others don't come here: its window stays until the program ends all of them.
rank_window::~rank_window() {
  if (std::uncaught_exceptions() <= failures_) ranks_->library().release_window(window_);
}

void rank_window::check(const rank_call& call, std::size_t first) const {
  ranks_->check_peer(call);
  if (first > own_.count || call.memory.count > own_.count - first)
    ranks_->fail(call,
                 fmt::format("elements {} to {} are asked for, and the window has {}", first, first + call.memory.count,
                             own_.count),
                 "stay within it, or make it larger");
}

void rank_window::put(const operand& x, int to, std::size_t first, const rank_place& place) const {
  const rank_call call{"put", place, to, 0, x};
  check(call, first);
  message_ledger_entry::call(call, x.bytes(), 0);
  ranks_->check_code(ranks_->library().put(window_, x, to, first * x.element_bytes), call);
}

void rank_window::get(const operand& y, int from, std::size_t first, const rank_place& place) const {
  const rank_call call{"get", place, from, 0, y};
  check(call, first);
  message_ledger_entry::call(call, 0, y.bytes());
  ranks_->check_code(ranks_->library().get(window_, y, from, first * y.element_bytes), call);
}

// All that this rank has put is there, then all have come, then this rank sees what the others have put.
void rank_window::fence(const rank_place& place) const {
  const rank_call call{"fence", place};
  ranks_->check_code(ranks_->library().settle_window(window_), call);
  ranks_->meet(call);
  ranks_->check_code(ranks_->library().settle_window(window_), call);
}

}  // namespace gs::inline GS_FLAVOUR::detail
