#pragma once
// task_pool: tasks that rank 0 hands to whichever rank is free.

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/core/config.h"
#include "runtime/world/rank_call.h"
#include "runtime/world/rank_group.h"
#include "runtime/world/task_bytes.h"
#include "runtime/world/task_function.h"
#include "runtime/world/task_worker.h"

namespace gs::inline GS_FLAVOUR::detail {

/// A task of rank 0's, from submit to its result.
struct submitted_task {
  std::string name;  ///< of the function
  rank_place place;  ///< of the submit
  task_bytes packed{};
  int tries = 0;  ///< processes that have begun it
  int rank = -1;  ///< the last that has
  std::optional<task_outcome> outcome{};
};

/// The tasks of a group of ranks. Rank 0 keeps them and gives each to a rank that has none; another rank takes one
/// after the other and runs it in its worker. One goes to each rank at a time: which rank is free shows when it
/// answers. Rank 0 looks for answers while it is in one of these calls.
class task_pool {
 public:
  /// Processes that may die of a task before it is given up.
  static constexpr int most_tries = 3;

  explicit task_pool(std::shared_ptr<const rank_group> ranks) : ranks_(std::move(ranks)) {}

  std::shared_ptr<submitted_task> submit(const task_function& function, const task_bytes& arguments,
                                         const rank_place& place);
  bool is_done(const submitted_task& task, const rank_place& place);
  /// Waits. Throws gs::error for a task without a result.
  const task_bytes& result(const submitted_task& task, const rank_place& place);
  /// See communicator::serve_tasks.
  void serve(const rank_place& place);

 private:
  void begin(const rank_place& place);
  void work_for_rank_0(const rank_place& place);
  bool go_on(const rank_place& place);
  bool take_answers(const rank_place& place);
  void give(std::size_t rank, const std::shared_ptr<submitted_task>& task, const rank_place& place);
  void answered(std::size_t rank, task_outcome outcome);
  void give_up();
  bool has_tasks() const;

  std::shared_ptr<const rank_group> ranks_;
  std::shared_ptr<rank_group> messages_;                  // from the first submit to serve_tasks; else null
  std::deque<std::shared_ptr<submitted_task>> waiting_;   // rank 0's
  std::vector<std::shared_ptr<submitted_task>> running_;  // by rank
  std::size_t last_ = 0;                                  // the rank that was given a task last
  std::vector<bool> is_lost_;                             // ranks without a worker
};

}  // namespace gs::inline GS_FLAVOUR::detail
