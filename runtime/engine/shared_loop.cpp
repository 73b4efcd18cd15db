#include "runtime/engine/shared_loop.h"

#include <algorithm>
#include <utility>

#include "runtime/engine/core_affinity.h"
#include "runtime/engine/cores.h"

namespace gs::inline GS_FLAVOUR {
namespace {

// Each piece is this part of what is left of a share: a core that is late with its first can be late by no more.
constexpr std::size_t piece_divisor = 4;

thread_local loop_offer* offer_of_this_thread = nullptr;

}  // namespace

shared_loop::shared_loop(std::size_t n, std::size_t grain, piece body)
    : n_(n), grain_(grain), grains_((n + grain - 1) / grain), body_(body), shares_(most_threads()) {
  const std::size_t each = grains_ / shares_.size(), longer = grains_ % shares_.size();
  for (std::size_t s = 0, begin = 0; s < shares_.size(); ++s) {
    shares_[s].next = begin;
    shares_[s].end = begin += each + (s < longer ? 1 : 0);
  }
}

std::size_t shared_loop::most_threads() const { return std::min<std::size_t>(grains_, core_count()); }

void shared_loop::run_pieces_of(share& from) {
  std::size_t first = from.next.load(std::memory_order_relaxed);
  while (first < from.end) {
    const std::size_t last = first + std::max<std::size_t>(1, (from.end - first) / piece_divisor);
    if (!from.next.compare_exchange_weak(first, last, std::memory_order_relaxed)) continue;
    body_(first * grain_, std::min(n_, last * grain_));
    first = from.next.load(std::memory_order_relaxed);
  }
}

// Null if another thread has it: one that has been on this core a moment ago.
shared_loop::share* shared_loop::of_this_core() {
  share& own = shares_[number_of_this_core() % shares_.size()];
  return own.has_thread.exchange(true, std::memory_order_relaxed) ? nullptr : &own;
}

// Null if nothing is left. Shares that nobody has come for yet hold most.
shared_loop::share* shared_loop::fullest() {
  const auto most = std::ranges::max_element(shares_, {}, &share::left);
  return most->left() > 0 ? &*most : nullptr;
}

void shared_loop::fail(std::exception_ptr error) {
  for (share& each : shares_) each.next = each.end;
  if (!failed_.exchange(true)) error_ = std::move(error);
}

void shared_loop::take_part() {
  if (threads_.fetch_add(1) < core_count()) {
    try {
      if (share* const own = of_this_core()) run_pieces_of(*own);
      while (share* const other = fullest()) run_pieces_of(*other);
    } catch (...) {
      fail(std::current_exception());
    }
  }
  threads_.fetch_sub(1);
}

void shared_loop::finish() const {
  if (error_) std::rethrow_exception(error_);
}

// A helper says that it is there before it looks for the loop, and the loop is taken away before anybody looks for
// helpers: whoever has found it is waited for.
void loop_offer::join() {
  ++helpers_;
  if (shared_loop* loop = loop_) {
    loop->take_part();
    loop_.compare_exchange_strong(loop, nullptr);  // nothing is left to take
  }
  if (--helpers_ == 0) helpers_.notify_all();
}

loop_offer::scope::scope(loop_offer& where) { offer_of_this_thread = &where; }
loop_offer::scope::~scope() { offer_of_this_thread = nullptr; }

loop_offer::standing::standing(shared_loop& loop) : where_(std::exchange(offer_of_this_thread, nullptr)) {
  if (!where_) return;
  where_->loop_ = &loop;
  if (where_->opened_) where_->opened_();
}

loop_offer::standing::~standing() {
  if (!where_) return;
  where_->loop_ = nullptr;
  for (int helpers = where_->helpers_; helpers != 0; helpers = where_->helpers_) where_->helpers_.wait(helpers);
  offer_of_this_thread = where_;
}

}  // namespace gs::inline GS_FLAVOUR
