#pragma once
// gs::future: the result of a task that a rank runs.

#include <memory>
#include <utility>

#include "runtime/core/config.h"
#include "runtime/world/task_pool.h"

namespace gs::inline GS_FLAVOUR {

class communicator;

/// What a task that communicator::submit has handed out will return. Tasks move on while rank 0 is in submit, done,
/// result or serve_tasks.
template <class R>
class [[nodiscard]] future {
  using place = detail::rank_place;

 public:
  /// Waits until the task is done, and returns its result, each time anew. Throws gs::error, with the task's name and
  /// the lines of submit and result: if the task threw an exception, with its message; if it ended three processes, one
  /// after the other; if the program of the rank that was to run it has no such function.
  R result(const place& at = place::current()) const {
    const detail::task_bytes& bytes = pool_->result(*task_, at);
    if constexpr (!std::is_void_v<R>) {
      detail::unpacker from(bytes);
      R value = from.template take<R>();
      from.finish();
      return value;
    }
  }
  /// Whether it is done; result() then returns at once. Never waits.
  bool done(const place& at = place::current()) const { return pool_->is_done(*task_, at); }
  /// How many processes have begun the task: more than 1 if one died of it.
  int tries() const { return task_->tries; }
  /// The rank that has begun it last; -1: none yet.
  int rank() const { return task_->rank; }

 private:
  friend class communicator;
  future(std::shared_ptr<detail::task_pool> pool, std::shared_ptr<const detail::submitted_task> task)
      : pool_(std::move(pool)), task_(std::move(task)) {}

  std::shared_ptr<detail::task_pool> pool_;
  std::shared_ptr<const detail::submitted_task> task_;
};

namespace detail {

/// The first argument of a call with any number of them, and the line of the call: a default argument can't follow a
/// pack.
template <class T>
struct first_argument {
  template <class U>
  requires std::is_convertible_v<U&&, T>
  first_argument(U&& x, const rank_place& at = rank_place::current())  // NOLINT: arguments convert
      : value(std::forward<U>(x)), place(at) {}
  T value;
  rank_place place;
};

template <auto F>
using first_of_task = std::tuple_element_t<0, typename task_signature<F>::arguments>;

}  // namespace detail

}  // namespace gs::inline GS_FLAVOUR
