#pragma once
// gs::communicator: ranks that send each other arrays.

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "runtime/core/config.h"
#include "runtime/ufunc/operand.h"
#include "runtime/world/combine.h"
#include "runtime/world/fold.h"
#include "runtime/world/future.h"
#include "runtime/world/rank_group.h"
#include "runtime/world/rank_memory.h"
#include "runtime/world/request.h"

namespace gs::inline GS_FLAVOUR {

inline constexpr int any_rank = -1;  ///< for receive: from whichever rank sends first
inline constexpr int any_tag = -1;   ///< for receive: whatever the message's tag is

/// What receive tells of a message.
struct received {
  int from = -1;          ///< the rank that sent it
  int tag = -1;           ///< as it was sent
  std::size_t count = 0;  ///< of elements
};

/// What alltoall with counts returns.
template <class C>
struct exchanged {
  C values;                         ///< the parts, in the order of the ranks that sent them
  std::vector<std::size_t> counts;  ///< along the first dimension, of each rank's part
};

/// A group of ranks: processes that run the same program, each with memory of its own. Verbs send elements from one to
/// another: numbers and structs by value, host arrays as ufuncs take them, device arrays. A result is an array like the
/// one that was given: a host array, or a device array for a device array.
///
/// A device array is first waited for: everything queued on the device has run. Its elements then go straight from
/// device memory on the engine, and on a GPU under an MPI that takes device pointers; else through pinned memory, by
/// copies that the ledger counts.
///
/// Verbs of all ranks (barrier, broadcast, reduce, allreduce, scan, gather, allgather, scatter, alltoall, split) have
/// to be called by every rank of the group, in the same order. Sizes that a rank can't know are sent along; where
/// gs::out names an array for the result, its size says how many there are, and nothing more is sent.
///
/// One thread of a process at a time may call verbs. All throw gs::error, with rank, line and verb. A program that ends
/// by an error, a signal or an exit status other than 0 ends all ranks; each of them says what it waited for. In the
/// checked flavour, verbs that don't belong together (another verb, size, type or root than on other ranks) and ranks
/// that wait for each other are errors; the plain flavour doesn't look.
class communicator {
  using place = detail::rank_place;

 public:
  int rank() const { return ranks_->rank(); }  ///< of this process, from 0
  int size() const { return ranks_->size(); }  ///< how many ranks there are

  /// Waits until all ranks have come here.
  void barrier(const place& at = place::current()) const { ranks_->barrier(at); }

  /// Sends `x` to rank `to`. Returns when `x` may be changed, which may be before the message has come.
  template <class A>
  void send(const A& x, int to, int tag = 0, const place& at = place::current()) const {
    const outgoing<A> message(x, library(), at);
    ranks_->send(message.memory(), to, tag, at);
  }
  /// Waits for the next message from rank `from` (or any_rank) with that tag (or any_tag), and puts it into `x`. Throws
  /// gs::error if it doesn't have as many elements as `x`.
  template <class A>
  received receive(A&& x, int from, int tag = 0, const place& at = place::current()) const {
    incoming<A> message(x, library(), at);
    const detail::receipt came = ranks_->receive(message.memory(), from, tag, at);
    message.finish();
    return {came.from, came.tag, came.bytes / sizeof(element_sent<A>)};
  }
  /// The same as a new array of one dimension, as long as the message, or as a number:
  ///   auto halo = world.receive<std::vector<float>>(left);  int n = world.receive<int>(0);
  template <class C>
  C receive(int from, int tag = 0, const place& at = place::current()) const {
    static_assert(!std::is_reference_v<C> && !std::is_const_v<C>, "receive: name a type that can be made and returned");
    if constexpr (detail::single_value<C>) {
      C value{};
      receive(value, from, tag, at);
      return value;
    } else {
      return receive_new<C>(from, tag, at);
    }
  }

  /// Overwrites `x` with that of rank `root`. It has as many elements on all ranks.
  template <class A>
  void broadcast(A&& x, int root = 0, const place& at = place::current()) const {
    incoming<A> memory(x, library(), at, detail::loan_use::both);
    ranks_->broadcast("broadcast", memory.memory(), root, at);
    memory.finish();
  }

  /// The elements of all ranks combined, position by position, on rank `root`; nothing on the others. `x` has as many
  /// elements on all ranks. Which elements are combined first depends on the number of ranks: sums of floating-point
  /// numbers are the same for the same number of ranks. With gs::out the result goes into an array that exists, on the
  /// root; those of other ranks stay as they are.
  ///   if (auto total = world.reduce(part)) print(*total);
  ///@{
  template <class A>
  auto reduce(const A& x, fold by = fold::sum, int root = 0, const place& at = place::current()) const {
    return reduce_to(x, detail::combination_by<element_sent<A>>(by, at), root, at);
  }
  template <class A, class Out>
  void reduce(const A& x, detail::output<Out> y, fold by = fold::sum, int root = 0,
              const place& at = place::current()) const {
    reduce_into(x, y.array, detail::combination_by<element_sent<A>>(by, at), root, at);
  }
  template <auto F, class A>
  auto reduce(const A& x, int root = 0, const place& at = place::current()) const {
    return reduce_to(x, detail::combination_with<F, element_sent<A>>(), root, at);
  }
  template <auto F, class A, class Out>
  void reduce(const A& x, detail::output<Out> y, int root = 0, const place& at = place::current()) const {
    reduce_into(x, y.array, detail::combination_with<F, element_sent<A>>(), root, at);
  }
  ///@}

  /// The same on all ranks. With gs::out the result goes into an array that exists, which may be `x` itself.
  ///   double total = world.allreduce(part);  world.allreduce(gradient, gs::out(gradient));
  ///   float largest = world.allreduce(part, gs::fold::maximum);  auto z = world.allreduce<hypotenuse>(x);
  ///@{
  template <class A>
  auto allreduce(const A& x, fold by = fold::sum, const place& at = place::current()) const {
    return combined("allreduce", x, detail::combination_by<element_sent<A>>(by, at), at);
  }
  template <class A, class Out>
  void allreduce(const A& x, detail::output<Out> y, fold by = fold::sum, const place& at = place::current()) const {
    combine_into("allreduce", x, y.array, detail::combination_by<element_sent<A>>(by, at), at);
  }
  template <auto F, class A>
  auto allreduce(const A& x, const place& at = place::current()) const {
    return combined("allreduce", x, detail::combination_with<F, element_sent<A>>(), at);
  }
  template <auto F, class A, class Out>
  void allreduce(const A& x, detail::output<Out> y, const place& at = place::current()) const {
    combine_into("allreduce", x, y.array, detail::combination_with<F, element_sent<A>>(), at);
  }
  ///@}

  /// The elements of ranks 0 to this one combined, position by position.
  ///@{
  template <class A>
  auto scan(const A& x, fold by = fold::sum, const place& at = place::current()) const {
    return combined("scan", x, detail::combination_by<element_sent<A>>(by, at), at);
  }
  template <class A, class Out>
  void scan(const A& x, detail::output<Out> y, fold by = fold::sum, const place& at = place::current()) const {
    combine_into("scan", x, y.array, detail::combination_by<element_sent<A>>(by, at), at);
  }
  template <auto F, class A>
  auto scan(const A& x, const place& at = place::current()) const {
    return combined("scan", x, detail::combination_with<F, element_sent<A>>(), at);
  }
  ///@}

  /// The arrays of all ranks one after the other, along the first dimension, on rank `root`; nothing on the others.
  /// They may differ in their first extent: `counts` says each rank's, where it is known there; else the extents are
  /// sent first. With gs::out, all are alike, and `y` is large enough for all of them on the root.
  ///   if (auto all = world.gather(part)) save(*all);
  ///@{
  template <class A>
  std::optional<detail::concatenated<A>> gather(const A& x, int root = 0, std::span<const std::size_t> counts = {},
                                                const place& at = place::current()) const {
    ranks_->check_root("gather", root, at);
    return gathered("gather", x, root, counts, at);
  }
  template <class A, class Out>
  void gather(const A& x, detail::output<Out> y, int root = 0, const place& at = place::current()) const {
    ranks_->check_root("gather", root, at);
    gather_into("gather", x, y.array, root, at);
  }
  ///@}

  /// The same on all ranks.
  ///@{
  template <class A>
  detail::concatenated<A> allgather(const A& x, std::span<const std::size_t> counts = {},
                                    const place& at = place::current()) const {
    return *gathered("allgather", x, -1, counts, at);
  }
  template <class A, class Out>
  void allgather(const A& x, detail::output<Out> y, const place& at = place::current()) const {
    gather_into("allgather", x, y.array, -1, at);
  }
  ///@}

  /// A part of rank `root`'s array for each rank, along its first dimension: as many as `counts` says, the same on all
  /// ranks, else as even as can be: the first ranks have one more. Other ranks' `x` is only looked at for its type.
  /// With gs::out, all parts are alike, and `y` is the memory for this rank's.
  ///@{
  template <class A>
  detail::concatenated<A> scatter(const A& x, int root = 0, std::span<const std::size_t> counts = {},
                                  const place& at = place::current()) const;
  template <class A, class Out>
  void scatter(const A& x, detail::output<Out> y, int root = 0, const place& at = place::current()) const;
  ///@}

  /// Part i of `x` goes to rank i, along the first dimension; the result is the parts of all ranks. Without counts all
  /// parts are alike, so the first extent is a multiple of size(). With counts, part i has counts[i]; how many come is
  /// sent along.
  ///@{
  template <class A>
  detail::same_rank<A> alltoall(const A& x, const place& at = place::current()) const;
  template <class A, class Out>
  void alltoall(const A& x, detail::output<Out> y, const place& at = place::current()) const;
  template <class A>
  exchanged<detail::same_rank<A>> alltoall(const A& x, std::span<const std::size_t> counts,
                                           const place& at = place::current()) const;
  ///@}

  /// Begin and return at once; wait() of the request gives the array back. A request owns its array, so it is moved in:
  ///   auto sent = world.start_send(std::move(row), next);  ...  row = sent.wait();
  /// A std::span or a slice of a device array is a part of an array that stays where it is:
  ///   auto comes = world.start_receive(std::span(field).first(width), left);  ...  comes.wait();
  ///@{
  template <class A>
  request<std::remove_reference_t<A>> start_send(A&& x, int to, int tag = 0, const place& at = place::current()) const {
    return begin<A>(std::forward<A>(x), detail::loan_use::send, {"start_send", at, to, tag, {}},
                    [this](const detail::rank_call& call) { return ranks_->start_send(call); });
  }
  template <class A>
  request<std::remove_reference_t<A>> start_receive(A&& x, int from, int tag = 0,
                                                    const place& at = place::current()) const {
    return begin<A>(std::forward<A>(x), detail::loan_use::receive, {"start_receive", at, from, tag, {}},
                    [this](const detail::rank_call& call) { return ranks_->start_receive(call); });
  }
  template <class A>
  request<std::remove_reference_t<A>> start_broadcast(A&& x, int root = 0, const place& at = place::current()) const {
    return begin<A>(std::forward<A>(x), detail::loan_use::both, {"start_broadcast", at, root, -1, {}},
                    [this](const detail::rank_call& call) { return ranks_->start_broadcast(call); });
  }
  /// Replaces the elements by those of all ranks combined.
  template <class A>
  request<std::remove_reference_t<A>> start_allreduce(A&& x, fold by = fold::sum,
                                                      const place& at = place::current()) const {
    const auto how = detail::combination_by<element_sent<A>>(by, at);
    return begin<A>(std::forward<A>(x), detail::loan_use::both, {"start_allreduce", at, -1, -1, {}},
                    [this, how](const detail::rank_call& call) { return ranks_->start_allreduce(call, how); });
  }
  ///@}

  /// Hands a call of the function F to whichever rank is free, this one among them, and returns at once:
  ///   auto parts = world.submit<simulate>(seed, steps);  ...  double result = parts.result();
  /// Rank 0 submits; the others call serve_tasks() meanwhile, and the first submit waits until they do. F takes and
  /// returns numbers, structs, std::string and host arrays that own their elements, of 64 MiB in all. It runs in
  /// another process than the rank, forked when gs::world() began: it sees static variables as they were then, and what
  /// earlier tasks have made of them. A task that dies there (a crash, exit(), a kill, no memory) is done again, on any
  /// rank, twice; so do in a task what may be done twice. Where the rank itself dies, MPI's launcher ends all of them.
  ///@{
  template <auto F, class... Rest>
  requires(detail::task_signature<F>::count > 0)
  auto submit(detail::first_argument<detail::first_of_task<F>> first, const Rest&... rest) const {
    static_assert(sizeof...(Rest) + 1 == detail::task_signature<F>::count, "submit<f>: give f's arguments");
    return submit_packed<F>(first.place, first.value, rest...);
  }
  template <auto F>
  requires(detail::task_signature<F>::count == 0) auto submit(const place& at = place::current()) const {
    return submit_packed<F>(at);
  }
  ///@}
  /// Of all ranks: runs the tasks that rank 0 submits, until rank 0 comes here as well. That waits until its tasks are
  /// done, whether somebody asks for their results or not.
  void serve_tasks(const place& at = place::current()) const { tasks_->serve(at); }

  /// The ranks that give the same colour, 0 or more, as a group of their own, in the order of their keys, and of their
  /// ranks here where keys are equal.
  communicator split(int colour, int key = 0, const place& at = place::current()) const {
    return communicator(ranks_->split(colour, key, at));
  }
  /// The ranks of this machine, as a group of their own.
  communicator split_by_machine(const place& at = place::current()) const {
    return communicator(ranks_->split_by_machine(at));
  }

  /// For the runtime.
  ///@{
  explicit communicator(std::shared_ptr<const detail::rank_group> ranks)
      : ranks_(std::move(ranks)), tasks_(std::make_shared<detail::task_pool>(ranks_)) {}
  const std::shared_ptr<const detail::rank_group>& group() const { return ranks_; }
  ///@}

 private:
  template <class A>
  using element_sent = detail::element_sent<A>;
  template <class A>
  using outgoing = detail::outgoing<std::remove_cvref_t<A>>;
  template <class A>
  using incoming = detail::incoming<std::remove_reference_t<A>>;

  const detail::transport& library() const { return ranks_->library(); }

  template <class C>
  C receive_new(int from, int tag, const place& at) const {
    using T = element_sent<C>;
    std::optional<C> array;
    std::optional<incoming<C>> memory;
    ranks_->receive_any_size(
        detail::operand_of<T>(nullptr, 0), from, tag,
        [&](std::size_t count) {
          array.emplace(detail::make_array<C>(shape(count), at));
          return memory.emplace(*array, library(), at).memory().data;
        },
        at);
    memory->finish();
    return std::move(*array);
  }

  template <class A>
  auto reduce_to(const A& x, const detail::combination& how, int root, const place& at) const {
    ranks_->check_root("reduce", root, at);
    using result = detail::same_shape<A>;
    const bool is_root = rank() == root;
    std::optional<result> y;
    const outgoing<A> from(x, library(), at);
    if (!is_root) {
      ranks_->reduce("reduce", from.memory(), nullptr, how, root, at);
      return y;
    }
    y.emplace(detail::make_array<result>(from.extents(), at));
    incoming<result> to(*y, library(), at);
    ranks_->reduce("reduce", from.memory(), to.memory().data, how, root, at);
    to.finish();
    return y;
  }

  template <class A, class Y>
  void reduce_into(const A& x, Y& y, const detail::combination& how, int root, const place& at) const {
    static_assert(std::is_same_v<element_sent<A>, element_sent<Y>>,
                  "the output holds another type of element than the input");
    ranks_->check_root("reduce", root, at);
    const outgoing<A> from(x, library(), at);
    if (rank() != root) return ranks_->reduce("reduce", from.memory(), nullptr, how, root, at);
    incoming<Y> to(y, library(), at);
    ranks_->check_output("reduce", from.memory().count, to.memory().count, at);
    ranks_->reduce("reduce", from.memory(), to.memory().data, how, root, at);
    to.finish();
  }

  /// allreduce and scan.
  template <class A>
  auto combined(const char* verb, const A& x, const detail::combination& how, const place& at) const {
    using result = detail::same_shape<A>;
    result y = detail::make_array<result>(detail::shape_of(x), at);
    combine_into(verb, x, y, how, at);
    return y;
  }
  template <class A, class Y>
  void combine_into(const char* verb, const A& x, Y& y, const detail::combination& how, const place& at) const {
    static_assert(std::is_same_v<element_sent<A>, element_sent<Y>>,
                  "the output holds another type of element than the input");
    const outgoing<A> from(x, library(), at);
    incoming<Y> to(y, library(), at);
    ranks_->check_output(verb, from.memory().count, to.memory().count, at);
    if (std::string_view(verb) == "scan")
      ranks_->scan(from.memory(), to.memory().data, how, at);
    else
      ranks_->reduce(verb, from.memory(), to.memory().data, how, -1, at);
    to.finish();
  }

  /// gather, and allgather for a root of -1.
  template <class A>
  std::optional<detail::concatenated<A>> gathered(const char* verb, const A& x, int root,
                                                  std::span<const std::size_t> counts, const place& at) const {
    using result = detail::concatenated<A>;
    const outgoing<A> from(x, library(), at);
    const detail::gather_plan plan = ranks_->plan_gather(verb, from.extents(), root, counts, at);
    std::optional<result> y;
    if (root >= 0 && rank() != root) {
      ranks_->gather(verb, from.memory(), nullptr, plan.parts(), root, at);
      return y;
    }
    y.emplace(detail::make_array<result>(plan.extents, at));
    incoming<result> to(*y, library(), at);
    ranks_->gather(verb, from.memory(), to.memory().data, plan.parts(), root, at);
    to.finish();
    return y;
  }
  template <class A, class Y>
  void gather_into(const char* verb, const A& x, Y& y, int root, const place& at) const {
    static_assert(std::is_same_v<element_sent<A>, element_sent<Y>>,
                  "the output holds another type of element than the input");
    const outgoing<A> from(x, library(), at);
    if (root >= 0 && rank() != root) return ranks_->gather(verb, from.memory(), nullptr, {}, root, at);
    incoming<Y> to(y, library(), at);
    ranks_->check_output(verb, from.memory().count * static_cast<std::size_t>(size()), to.memory().count, at);
    ranks_->gather(verb, from.memory(), to.memory().data, {}, root, at);
    to.finish();
  }

  template <class A>
  request<std::remove_reference_t<A>> begin(A&& x, detail::loan_use use, const detail::rank_call& call,
                                            auto start) const {
    static_assert(!std::is_reference_v<A>,
                  "a request owns its array until wait() hands it back: give std::move(x), or a std::span of a part of "
                  "it that you leave alone until then");
    using state = typename request<std::remove_reference_t<A>>::state;
    auto began = std::make_unique<state>(std::forward<A>(x), ranks_, call, use);
    began->call.began(start(began->call.call()), use != detail::loan_use::send);
    return request<std::remove_reference_t<A>>(std::move(began));
  }

  template <auto F, class... A>
  auto submit_packed(const place& at, const A&... arguments) const {
    using signature = detail::task_signature<F>;
    detail::task_bytes packed;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (detail::pack<std::tuple_element_t<I, typename signature::arguments>>(packed, arguments), ...);
    }(std::make_index_sequence<signature::count>());
    return future<typename signature::result>(tasks_, tasks_->submit(detail::submitted_function<F>::entry, packed, at));
  }

  std::shared_ptr<const detail::rank_group> ranks_;
  std::shared_ptr<detail::task_pool> tasks_;
};

template <class A>
detail::concatenated<A> communicator::scatter(const A& x, int root, std::span<const std::size_t> counts,
                                              const place& at) const {
  using result = detail::concatenated<A>;
  ranks_->check_root("scatter", root, at);
  const detail::gather_plan plan = ranks_->plan_scatter(detail::shape_of(x), root, counts, at);
  result y = detail::make_array<result>(plan.extents, at);
  incoming<result> to(y, library(), at);
  if (rank() == root) {
    const outgoing<A> from(x, library(), at);
    ranks_->scatter("scatter", from.memory().data, plan.parts(), to.memory(), root, at);
  } else {
    ranks_->scatter("scatter", nullptr, {false, {}}, to.memory(), root, at);
  }
  to.finish();
  return y;
}

template <class A, class Out>
void communicator::scatter(const A& x, detail::output<Out> y, int root, const place& at) const {
  static_assert(std::is_same_v<element_sent<A>, element_sent<Out>>,
                "the output holds another type of element than the input");
  ranks_->check_root("scatter", root, at);
  incoming<Out> to(y.array, library(), at);
  if (rank() == root) {
    const outgoing<A> from(x, library(), at);
    ranks_->check_output("scatter", from.memory().count, to.memory().count * static_cast<std::size_t>(size()), at);
    ranks_->scatter("scatter", from.memory().data, {}, to.memory(), root, at);
  } else {
    ranks_->scatter("scatter", nullptr, {}, to.memory(), root, at);
  }
  to.finish();
}

template <class A>
detail::same_rank<A> communicator::alltoall(const A& x, const place& at) const {
  detail::same_rank<A> y = detail::make_array<detail::same_rank<A>>(detail::shape_of(x), at);
  alltoall(x, detail::output<detail::same_rank<A>>{y}, at);
  return y;
}

template <class A, class Out>
void communicator::alltoall(const A& x, detail::output<Out> y, const place& at) const {
  static_assert(!detail::single_value<A>, "alltoall: give an array with a part for each rank");
  static_assert(std::is_same_v<element_sent<A>, element_sent<Out>>,
                "the output holds another type of element than the input");
  const outgoing<A> from(x, library(), at);
  incoming<Out> to(y.array, library(), at);
  ranks_->check_output("alltoall", from.memory().count, to.memory().count, at);
  ranks_->check_parts("alltoall", from.memory().count, at);
  ranks_->alltoall("alltoall", from.memory(), {}, to.memory().data, {}, at);
  to.finish();
}

template <class A>
exchanged<detail::same_rank<A>> communicator::alltoall(const A& x, std::span<const std::size_t> counts,
                                                       const place& at) const {
  static_assert(!detail::single_value<A>, "alltoall: give an array with a part for each rank");
  using result = detail::same_rank<A>;
  const outgoing<A> from(x, library(), at);
  const detail::alltoall_plan plan = ranks_->plan_alltoall(from.extents(), counts, at);
  result y = detail::make_array<result>(plan.extents, at);
  incoming<result> to(y, library(), at);
  ranks_->alltoall("alltoall", from.memory(), plan.counts_from, to.memory().data, plan.counts_to, at);
  to.finish();
  return {std::move(y), plan.rows};
}

}  // namespace gs::inline GS_FLAVOUR
