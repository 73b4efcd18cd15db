#pragma once
// rank_group: a communicator's verbs on plain memory. What the templates of communicator.h share.

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/core/config.h"
#include "runtime/core/function_ref.h"
#include "runtime/core/shape.h"
#include "runtime/world/group_watch.h"
#include "runtime/world/rank_call.h"
#include "runtime/world/transport.h"

namespace gs::inline GS_FLAVOUR::detail {

/// Elements of each rank, in the order of ranks, and the shape of what comes here.
struct gather_plan {
  bool even = true;
  std::vector<std::size_t> counts;  ///< empty where all have as many, and where this rank needn't know them
  shape extents;

  part_counts parts() const { return {even, counts}; }
};
struct alltoall_plan {
  std::vector<std::size_t> counts_from, counts_to;
  std::vector<std::size_t> rows;  ///< that come from each rank, along the first dimension
  shape extents;
};

/// A group of ranks. Collective verbs have to be called by all of them, in the same order.
class rank_group {
 public:
  using handle = transport_handle;
  /// Takes over the handle.
  rank_group(const transport& library, handle ranks);
  ~rank_group();
  rank_group(const rank_group&) = delete;
  rank_group& operator=(const rank_group&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }
  const transport& library() const { return library_; }
  handle ranks() const { return ranks_; }

  void send(const operand& x, int to, int tag, const rank_place& place) const;
  /// Throws gs::error if another number of elements comes.
  receipt receive(const operand& x, int from, int tag, const rank_place& place) const;
  /// The next message: `room` returns memory for its number of elements.
  receipt receive_any_size(const operand& element, int from, int tag, function_ref<void*(std::size_t count)> room,
                           const rank_place& place) const;
  /// The same, if it has come; never waits.
  std::optional<receipt> receive_if_any(const operand& element, int from, int tag,
                                        function_ref<void*(std::size_t count)> room, const rank_place& place) const;
  /// The same as receive_any_size, for waits that may be long: leaves the core to others.
  receipt receive_patiently(const operand& element, int from, int tag, function_ref<void*(std::size_t count)> room,
                            const rank_place& place) const;

  void barrier(const rank_place& place) const { meet({"barrier", place}); }
  /// The same for another verb of all ranks, which is told under its name.
  void meet(const rank_call& call) const;
  void broadcast(const char* verb, const operand& x, int root, const rank_place& place) const;
  void reduce(const char* verb, const operand& from, void* to, const combination& how, int root,
              const rank_place& place) const;
  void scan(const operand& from, void* to, const combination& how, const rank_place& place) const;
  void gather(const char* verb, const operand& from, void* to, const part_counts& parts, int root,
              const rank_place& place) const;
  void scatter(const char* verb, const void* from, const part_counts& parts, const operand& to, int root,
               const rank_place& place) const;
  void alltoall(const char* verb, const operand& from, std::span<const std::size_t> counts_from, void* to,
                std::span<const std::size_t> counts_to, const rank_place& place) const;
  std::shared_ptr<rank_group> split(int colour, int key, const rank_place& place) const;
  std::shared_ptr<rank_group> split_by_machine(const rank_place& place) const;
  /// The same ranks, whose messages don't mix with these; `verb` is what the program has called.
  std::shared_ptr<rank_group> duplicate(const char* verb, const rank_place& place) const;

  /// Begin, and return a handle for test() and finish().
  ///@{
  handle start_send(const rank_call& call) const;
  handle start_receive(const rank_call& call) const;
  handle start_broadcast(const rank_call& call) const;
  handle start_allreduce(const rank_call& call, const combination& how) const;
  ///@}
  /// Whether the call that has begun is done. Throws gs::error if a message of another size has come.
  bool test(handle& pending, const rank_call& began) const;
  /// Waits until it is.
  void finish(handle& pending, const rank_call& began, const rank_place& place) const;

  /// How much comes from where, and the shape of it: what isn't known is sent.
  ///@{
  gather_plan plan_gather(const char* verb, const shape& own, int root, std::span<const std::size_t> rows,
                          const rank_place& place) const;
  gather_plan plan_scatter(const shape& own, int root, std::span<const std::size_t> rows,
                           const rank_place& place) const;
  alltoall_plan plan_alltoall(const shape& own, std::span<const std::size_t> rows, const rank_place& place) const;
  ///@}

  /// Throws gs::error that names this rank, the line and the verb.
  [[noreturn]] void fail(const rank_call& call, const std::string& found, const std::string& advice) const;
  /// The same where the library has returned another code than 0.
  void check_code(int code, const rank_call& call) const;
  /// Throw gs::error: no such rank; an output of another size; elements that can't be shared out evenly.
  ///@{
  void check_peer(const rank_call& call) const;
  void check_root(const char* verb, int root, const rank_place& place) const;
  void check_output(const char* verb, std::size_t wanted, std::size_t found, const rank_place& place) const;
  void check_parts(const char* verb, std::size_t elements, const rank_place& place) const;
  ///@}

 private:
  template <class Start>
  void run(const rank_call& call, std::size_t sent, std::size_t received, Start start,
           count_rule counts = count_rule::alike, receipt* came = nullptr) const;
  receipt take(rank_call call, const receipt& comes, handle message, function_ref<void*(std::size_t count)> room) const;
  group_watch::failure failure_of(const rank_call& call) const;
  void check_size(const receipt& came, const rank_call& call) const;

  const transport& library_;
  handle ranks_;
  int rank_, size_;
  std::unique_ptr<group_watch> watch_;  // null in the plain flavour
};

std::size_t sum_of(std::span<const std::size_t> counts);
/// As even as it can be: the first `n % parts` have one more.
std::vector<std::size_t> even_parts(std::size_t n, int parts);

}  // namespace gs::inline GS_FLAVOUR::detail
