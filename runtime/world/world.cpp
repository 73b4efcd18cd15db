#include "runtime/world/world.h"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <vector>

#include "runtime/core/error.h"
#include "runtime/host/core_share.h"
#include "runtime/world/rank_call.h"
#include "runtime/world/task_worker.h"

namespace gs::inline GS_FLAVOUR {
namespace {

using detail::transport;

// A program that ends well waits for the other ranks' messages; one that fails ends them all, or they would wait for
// it.
void end_of_program(int status, void* argument) {
  const transport& library = *static_cast<const transport*>(argument);
  if (status == 0) {
    if constexpr (detail::ranks_are_watched) detail::deadlock_watch::of(library).end();
    library.finish();
    return;
  }
  const auto everybody = library.everybody();
  const int rank = library.rank(everybody), size = library.size(everybody);
  std::fputs(fmt::format("rank {} of {} ends with status {}, and with it all ranks\n", rank, size, status).c_str(),
             stderr);
  std::fflush(nullptr);
  library.end_all(status);
}

// Ranks that may run on the same cores share them evenly; a launcher may have bound some of them to others.
void take_share_of_cores(const transport& library) {
  cpu_set_t own;
  CPU_ZERO(&own);
  sched_getaffinity(0, sizeof own, &own);
  transport::handle neighbours{};
  if (library.split_by_machine(library.everybody(), &neighbours) != 0) return;
  const auto rank = static_cast<std::size_t>(library.rank(neighbours));
  std::vector<cpu_set_t> cores(static_cast<std::size_t>(library.size(neighbours)));
  const int code = library.gather(neighbours, {&own, sizeof own}, cores.data(), {}, -1, nullptr);
  library.release(neighbours);
  if (code != 0) return;
  const auto shares_ours = [&](const cpu_set_t& other) { return CPU_EQUAL(&other, &own) != 0; };
  const auto count = [&](std::size_t ranks) {
    return static_cast<unsigned>(std::ranges::count_if(std::span(cores).first(ranks), shares_ours));
  };
  detail::set_core_share({.process = count(rank), .processes = count(cores.size())});
}

communicator begin_world() {
  detail::task_worker::prepare();
  const transport& library = detail::this_transport();
  communicator all(std::make_shared<detail::rank_group>(library, library.everybody()));
  if (all.size() == 1 && &library == &detail::transport_of_one()) return all;
  on_exit(end_of_program, const_cast<transport*>(&library));
  detail::waiting_note::tell_at_the_end(all.rank(), all.size());
  take_share_of_cores(library);
  return all;
}

}  // namespace

const communicator& world() {
  if (detail::task_worker::is_this_process())
    throw error("gs::world() in a task", "a task runs in a process of its own, which is no rank",
                "give the task what it needs as arguments");
  static const communicator& all = *new communicator(begin_world());  // messages may be under way until the very end
  return all;
}

}  // namespace gs::inline GS_FLAVOUR
