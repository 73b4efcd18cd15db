#pragma once
// gs::request: a message, or a verb of all ranks, that has begun and isn't done.

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "runtime/core/config.h"
#include "runtime/world/rank_group.h"
#include "runtime/world/rank_memory.h"

namespace gs::inline GS_FLAVOUR {

class communicator;

namespace detail {

/// The part of a request that doesn't depend on the array's type: the library's handle, from begin to end.
class pending_call {
 public:
  pending_call(std::shared_ptr<const rank_group> ranks, const rank_call& call)
      : ranks_(std::move(ranks)), call_(call) {}
  pending_call(const pending_call&) = delete;
  pending_call& operator=(const pending_call&) = delete;

  const rank_group& ranks() const { return *ranks_; }
  const rank_call& call() const { return call_; }
  /// The memory that the library uses from now on.
  void lend(const operand& memory) { call_.memory = memory; }
  /// `is_written`: what comes goes into that memory.
  void began(transport_handle pending, bool is_written);
  bool test();
  void finish(const rank_place& place);
  bool finished() const { return finished_; }

 private:
  void check_loan(const rank_place& place);

  std::shared_ptr<const rank_group> ranks_;
  rank_call call_;
  transport_handle pending_{};
  std::uint64_t loan_ = 0;  // the checked flavour's
  bool finished_ = true;
};

[[noreturn]] void refuse_empty_request(const rank_place& place);

}  // namespace detail

/// A verb that has begun, by one of communicator's start_... functions. It owns the array that it was given until
/// wait() hands it back, so nobody can change what is being sent, or read what has not come. An array that only refers
/// to its elements (a std::span, a slice of a device array) goes the same way, but its elements are yours to leave
/// alone: the checked flavour tells where they are touched before the wait. Destroying a request waits.
template <class A>
class [[nodiscard]] request {
 public:
  request() = default;  ///< of nothing: done, and not to be waited for
  /// A request that was moved from is one of nothing.
  ///@{
  request(request&& other) noexcept : state_(std::move(other.state_)), failures_(other.failures_) {}
  request& operator=(request&& other) noexcept {
    request taken(std::move(other));
    std::swap(state_, taken.state_);
    return *this;
  }
  ///@}
  request(const request&) = delete;
  request& operator=(const request&) = delete;
  ~request() {
    if (!state_ || state_->call.finished()) return;
    // Memory that the library still uses must stay where it is; a program that fails ends all ranks.
    if (std::uncaught_exceptions() > failures_) {
      state_.release();
      return;
    }
    try {
      static_cast<void>(wait());
    } catch (...) {
      state_.release();  // NOLINT: reported when the program ends
    }
  }

  /// Waits until it is done, and gives the array back: with what has come, or free to be used again. Throws gs::error
  /// for a message of another size than the array, and where there is nothing to wait for.
  A wait(const detail::rank_place& place = detail::rank_place::current()) {
    if (!state_) detail::refuse_empty_request(place);
    state_->call.finish(place);
    state_->finish_memory();
    A array = std::move(state_->array);
    state_.reset();
    return array;
  }
  /// Whether it is done; wait() then returns at once. Never waits.
  bool done() { return !state_ || state_->call.test(); }

 private:
  friend class communicator;
  struct state {
    state(A&& given, std::shared_ptr<const detail::rank_group> ranks, const detail::rank_call& began,
          detail::loan_use use)
        : array(std::move(given)), call(std::move(ranks), began) {
      const detail::transport& library = call.ranks().library();
      if (use == detail::loan_use::send)
        call.lend(sent.emplace(array, library, began.place).memory());
      else
        call.lend(received.emplace(array, library, began.place, use).memory());
    }
    void finish_memory() {
      if (received) received->finish();
    }

    A array;
    std::optional<detail::outgoing<A>> sent;
    std::optional<detail::incoming<A>> received;
    detail::pending_call call;
  };
  explicit request(std::unique_ptr<state> began) : state_(std::move(began)) {}

  std::unique_ptr<state> state_;
  int failures_ = std::uncaught_exceptions();
};

}  // namespace gs::inline GS_FLAVOUR
