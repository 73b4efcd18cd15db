#include "runtime/host/shared_loop.h"

#include <algorithm>
#include <utility>

#include "runtime/host/cores.h"

namespace gs::inline GS_FLAVOUR::detail {
namespace {

// The first pieces are a quarter of a core's share, so a core that finishes late is late by no more than that.
constexpr std::size_t pieces_per_core = 4;

thread_local loop_offer* offer_of_this_thread = nullptr;

}  // namespace

shared_loop::shared_loop(std::size_t n, std::size_t grain, piece body)
    : n_(n), grain_(grain), grains_((n + grain - 1) / grain), body_(body) {}

std::size_t shared_loop::most_threads() const { return std::min<std::size_t>(grains_, core_count()); }

bool shared_loop::take(std::size_t& begin, std::size_t& end) {
  std::size_t first = taken_.load(std::memory_order_relaxed), last = first;
  do {
    if (first >= grains_) return false;
    last = first + std::max<std::size_t>(1, (grains_ - first) / (pieces_per_core * core_count()));
  } while (!taken_.compare_exchange_weak(first, last, std::memory_order_relaxed));
  begin = first * grain_;
  end = std::min(n_, last * grain_);
  return true;
}

void shared_loop::fail(std::exception_ptr error) {
  taken_ = grains_;
  if (!failed_.exchange(true)) error_ = std::move(error);
}

void shared_loop::take_part() {
  if (threads_.fetch_add(1) < core_count()) {
    try {
      for (std::size_t begin = 0, end = 0; take(begin, end);) body_(begin, end);
    } catch (...) {
      fail(std::current_exception());
    }
  }
  threads_.fetch_sub(1);
}

void shared_loop::finish() const {
  if (error_) std::rethrow_exception(error_);
}

// A helper counts itself before it looks for the loop, and the loop is withdrawn before the helpers are counted:
// every helper that has found the loop is waited for.
void loop_offer::join() {
  ++helpers_;
  if (shared_loop* loop = loop_) {
    loop->take_part();
    loop_.compare_exchange_strong(loop, nullptr);  // nothing is left to take
  }
  if (--helpers_ == 0) helpers_.notify_all();
}

loop_offer::scope::scope(loop_offer& offer) { offer_of_this_thread = &offer; }
loop_offer::scope::~scope() { offer_of_this_thread = nullptr; }

loop_offer::announcement::announcement(shared_loop& loop) : offer_(std::exchange(offer_of_this_thread, nullptr)) {
  if (!offer_) return;
  offer_->loop_ = &loop;
  if (offer_->opened_) offer_->opened_();
}

loop_offer::announcement::~announcement() {
  if (!offer_) return;
  offer_->loop_ = nullptr;
  for (int helpers = offer_->helpers_; helpers != 0; helpers = offer_->helpers_) offer_->helpers_.wait(helpers);
  offer_of_this_thread = offer_;
}

}  // namespace gs::inline GS_FLAVOUR::detail
