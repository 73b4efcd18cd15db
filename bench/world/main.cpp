// gridstride-bench-world: the verbs of gs::world() beside bare MPI calls. Every rank of a launcher of MPI runs it; rank
// 0 prints.
// `./gridstride bench world` starts it.

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <exception>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "bench/machine/disturbance.h"
#include "bench/world/duels.h"
#include "bench/world/world_record.h"
#include "runtime/core/error.h"
#include "runtime/host/cores.h"
#include "runtime/world/transport.h"
#include "runtime/world/world.h"

namespace bench {
namespace {

struct world_choices {
  bool json = false, quick = false;
  std::string mpi4py;  ///< file of what with_mpi4py.py has measured
};

world_choices read_choices(const std::vector<std::string_view>& words) {
  world_choices chosen;
  for (const std::string_view word : words) {
    constexpr std::string_view mpi4py = "--mpi4py=";
    if (word == "--json")
      chosen.json = true;
    else if (word == "--quick")
      chosen.quick = true;
    else if (word.starts_with(mpi4py))
      chosen.mpi4py = word.substr(mpi4py.size());
    else
      throw gs::error("bench world", "it was given '" + std::string(word) + "'",
                      "give --ranks N, --json, --quick or nothing");
  }
  return chosen;
}

// All sizes of a verb stand together, the smallest first.
std::vector<duel> all_duels(const gs::communicator& world, bool quick) {
  const std::vector<std::size_t> sizes =
      quick ? std::vector<std::size_t>{8, 64 << 10}
            : std::vector<std::size_t>{8, 1 << 10, 16 << 10, 64 << 10, 1 << 20, 4 << 20};
  std::vector<duel> all = verbs_without_message(world);
  std::vector<std::vector<duel>> by_size;
  for (const std::size_t bytes : sizes) {
    by_size.push_back(verbs(world, bytes));
    by_size.back().push_back(halo_exchange(world, bytes));
  }
  for (std::size_t verb = 0; verb < by_size.front().size(); ++verb)
    for (const std::vector<duel>& duels : by_size) all.push_back(duels[verb]);
  all.push_back(diffusion(world, 64, 256));
  if (!quick) all.push_back(diffusion(world, 1024, 2048));
  return all;
}

// As it is typed, whatever the launcher makes of it.
std::string command_text(const world_choices& chosen, int ranks) {
  std::string text = "gridstride bench world --ranks " + std::to_string(ranks);
  if (chosen.quick) text += " --quick";
  if (chosen.json) text += " --json";
  return text;
}

void run_all(const world_choices& chosen, const char* const* arguments) {
  const gs::communicator& world = gs::world();
  if (world.size() < 2)
    throw gs::error("bench world", "it runs as one rank, which sends no messages",
                    "start it by ./gridstride bench world --ranks 2");
  const auto began = std::chrono::steady_clock::now();
  world_record record;
  record.run = begin_record(1, arguments);
  record.run.command = command_text(chosen, world.size());
  record.mpi = gs::detail::this_transport().name;
  record.ranks = world.size();
  record.cores = gs::core_count();
  record.run.machine.cores = static_cast<int>(std::thread::hardware_concurrency());  // of all ranks
  record.run.quick = chosen.quick;
  if (chosen.quick) record.rules = {.rounds = 3, .seconds_of_a_sample = 0};
  if (!chosen.mpi4py.empty() && world.rank() == 0) record.mpi4py = read_mpi4py_times(chosen.mpi4py);
  const bool shows_table = world.rank() == 0 && !chosen.json;
  const auto show = [&](const std::string& text) {
    if (!shows_table) return;
    std::fputs(text.c_str(), stdout);
    std::fflush(stdout);
  };
  const disturbance others(world.split_by_machine().allgather(getpid()));
  show(heading_text(record));
  for (const duel& d : all_duels(world, chosen.quick)) {
    record.results.push_back(fight(d, record.rules, world));
    show(line_text(record.results.back(), record));
  }
  record.disturbed = others.share();
  record.run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  show(ending_text(record));
  if (world.rank() == 0 && chosen.json) std::puts(to_json(record).dump(1).c_str());
}

}  // namespace
}  // namespace bench

int main(int argument_count, char** arguments) {
  int status = 2;
  try {
    const bench::world_choices chosen = bench::read_choices({arguments + 1, arguments + argument_count});
    status = 1;
    bench::run_all(chosen, arguments);
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return status;
  }
}
