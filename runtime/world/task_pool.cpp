#include "runtime/world/task_pool.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "runtime/world/patience.h"

namespace gs::inline GS_FLAVOUR::detail {
namespace {

// Tags of the messages: from rank 0 a task, or that there are no more; to it what became of one.
constexpr int task_tag = 1, no_more_tag = 2, answer_tag = 3;
constexpr const char* verb_of_tasks = "serve_tasks";

operand bytes_of(const task_bytes& bytes) {
  return {const_cast<unsigned char*>(bytes.data()), bytes.size(), 1, number_type::uint8};
}
constexpr operand one_byte{nullptr, 0, 1, number_type::uint8};

// What became of a task travels with its kind as the last byte.
task_bytes packed_outcome(task_outcome outcome) {
  outcome.bytes.push_back(static_cast<unsigned char>(outcome.is));
  return std::move(outcome.bytes);
}
task_outcome unpacked_outcome(task_bytes bytes) {
  const auto is = static_cast<task_outcome::kind>(bytes.back());
  bytes.pop_back();
  return {is, std::move(bytes)};
}

}  // namespace

// All ranks of the group at once: rank 0 when it first submits, the others in serve_tasks.
void task_pool::begin(const rank_place& place) {
  if (messages_) return;
  if (&ranks_->library() == &transport_of_one()) task_worker::prepare();  // for functions that were loaded meanwhile
  messages_ = ranks_->duplicate(verb_of_tasks, place);
  running_.assign(static_cast<std::size_t>(ranks_->size()), nullptr);
  is_lost_.assign(running_.size(), false);
}

std::shared_ptr<submitted_task> task_pool::submit(const task_function& function, const task_bytes& arguments,
                                                  const rank_place& place) {
  const rank_call call{"submit", place};
  if (ranks_->rank() != 0)
    ranks_->fail(call, "only rank 0 hands out tasks", "call serve_tasks() on the other ranks, to run them");
  if (function.has_namesake())
    ranks_->fail(call, fmt::format("this program has several functions {}", function.name()),
                 "give them different names: ranks know them by these");
  task_bytes packed = packed_task(function.identity(), arguments);
  if (packed.size() > task_worker::most_bytes)
    ranks_->fail(call,
                 fmt::format("the arguments of {} have {} bytes, more than {}", function.name(), arguments.size(),
                             task_worker::most_bytes),
                 "broadcast or scatter large arrays, or let the task read or make them where it runs");
  begin(place);
  auto task = std::make_shared<submitted_task>(submitted_task{function.name(), place, std::move(packed)});
  waiting_.push_back(task);
  go_on(place);
  return task;
}

void task_pool::give(std::size_t rank, const std::shared_ptr<submitted_task>& task, const rank_place& place) {
  ++task->tries;
  task->rank = static_cast<int>(rank);
  running_[rank] = task;
  if (rank == 0)
    task_worker::of_this_process()->begin(task->packed);
  else
    messages_->send(bytes_of(task->packed), task->rank, task_tag, place);
}

void task_pool::answered(std::size_t rank, task_outcome outcome) {
  const std::shared_ptr<submitted_task> task = std::exchange(running_[rank], nullptr);
  const bool is_lost = outcome.is == task_outcome::kind::no_worker;
  if (is_lost) is_lost_[rank] = true;
  if (is_lost || (outcome.is == task_outcome::kind::died && task->tries < most_tries))
    waiting_.push_front(task);
  else
    task->outcome = std::move(outcome);
}

// No rank has a process left to run tasks in.
void task_pool::give_up() {
  for (const auto& task : waiting_)
    task->outcome =
        task_outcome::of_text(task_outcome::kind::no_worker, "on no rank is there a process left to run tasks in");
  waiting_.clear();
}

bool task_pool::take_answers(const rank_place& place) {
  bool any = false;
  if (running_[0])
    if (auto outcome = task_worker::of_this_process()->look(0)) {
      answered(0, std::move(*outcome));
      any = true;
    }
  task_bytes bytes;
  const auto room = [&](std::size_t count) { return bytes.resize(count), bytes.data(); };
  while (const auto came = messages_->receive_if_any(one_byte, -1, answer_tag, room, place)) {
    answered(static_cast<std::size_t>(came->from), unpacked_outcome(std::exchange(bytes, {})));
    any = true;
  }
  return any;
}

// Takes the answers that have come, and hands out what waits. Whether there was anything to do.
bool task_pool::go_on(const rank_place& place) {
  bool any = take_answers(place);
  // In turn: each rank computes a part, however quick the first ones answer.
  const std::size_t ranks = running_.size(), begin = last_ + 1;
  for (std::size_t i = 0; i < ranks && !waiting_.empty(); ++i) {
    const std::size_t rank = (begin + i) % ranks;
    if (running_[rank] || is_lost_[rank]) continue;
    const auto task = waiting_.front();
    waiting_.pop_front();
    give(rank, task, place);
    last_ = rank;
    any = true;
  }
  if (std::ranges::count(is_lost_, false) == 0) give_up();
  return any;
}

bool task_pool::has_tasks() const {
  return !waiting_.empty() || std::ranges::any_of(running_, [](const auto& task) { return task != nullptr; });
}

bool task_pool::is_done(const submitted_task& task, const rank_place& place) {
  if (!task.outcome) go_on(place);
  return task.outcome.has_value();
}

const task_bytes& task_pool::result(const submitted_task& task, const rank_place& place) {
  const rank_call call{"result", place};
  {
    const waiting_note waits(call);
    for (unsigned looks = 0; !task.outcome;)
      if (go_on(place))
        looks = 0;
      else
        pause_after(looks++);
  }
  const auto fail = [&](const std::string& found, const std::string& advice) {
    ranks_->fail(call, fmt::format("{}, submitted at {}, {}", task.name, to_text(task.place), found), advice);
  };
  switch (task.outcome->is) {
    case task_outcome::kind::value:
      break;
    case task_outcome::kind::threw:
      fail(fmt::format("threw on rank {}: {}", task.rank, task.outcome->text()),
           "catch it in the task, or around result()");
      break;
    case task_outcome::kind::unknown:
      fail(fmt::format("is no function of rank {}'s program", task.rank), "start the same program on all ranks");
      break;
    case task_outcome::kind::died:
      fail(
          fmt::format("has ended {} processes, the last on rank {} by {}", task.tries, task.rank, task.outcome->text()),
          fmt::format("call {} without submit, where a debugger or ./gridstride inspect can see it", task.name));
      break;
    case task_outcome::kind::no_worker:
      fail("was not run: " + task.outcome->text(), "see what has ended those processes");
      break;
  }
  return task.outcome->bytes;
}

void task_pool::work_for_rank_0(const rank_place& place) {
  task_worker* const worker = task_worker::of_this_process();
  task_bytes bytes;
  const auto room = [&](std::size_t count) { return bytes.resize(count), bytes.data(); };
  while (messages_->receive_patiently(one_byte, 0, -1, room, place).tag != no_more_tag) {
    std::optional<task_outcome> outcome;
    if (worker)
      for (worker->begin(bytes); !outcome;) outcome = worker->look(-1);
    else
      outcome = task_outcome{task_outcome::kind::unknown};
    messages_->send(bytes_of(packed_outcome(std::move(*outcome))), 0, answer_tag, place);
  }
}

void task_pool::serve(const rank_place& place) {
  begin(place);
  if (ranks_->rank() == 0) {
    const rank_call call{verb_of_tasks, place};
    const waiting_note waits(call);
    for (unsigned looks = 0; has_tasks();)
      if (go_on(place))
        looks = 0;
      else
        pause_after(looks++);
    for (int rank = 1; rank < ranks_->size(); ++rank) messages_->send(one_byte, rank, no_more_tag, place);
  } else {
    work_for_rank_0(place);
  }
  messages_.reset();
}

}  // namespace gs::inline GS_FLAVOUR::detail
