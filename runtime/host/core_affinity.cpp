#include "runtime/host/core_affinity.h"

#include <sched.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <mutex>
#include <vector>

#include "runtime/host/cores.h"

namespace gs::inline GS_FLAVOUR::detail {
namespace {

using clock = std::chrono::steady_clock;

// The pool's threads by core, as the system numbers them.
struct core_tenants {
  std::mutex mutex;
  std::array<std::vector<pid_t>, CPU_SETSIZE> of_core;
  std::array<std::atomic<bool>, CPU_SETSIZE> taken{};  // whether the core has any; read without the mutex
  cpu_set_t allowed;
  bool in_use;
  clock::time_point moved{};

  core_tenants() {
    CPU_ZERO(&allowed);
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) CPU_ZERO(&allowed);
    const auto cores = static_cast<unsigned>(CPU_COUNT(&allowed));
    in_use = pool_threads() + 1 == cores || (cores == 2 && core_count() == 2);
  }

  // The core with the fewest threads, other than `busy`; -1 if there is no other.
  int emptiest_core(int busy) const {
    int best = -1;
    for (int core = 0; core < CPU_SETSIZE; ++core)
      if (core != busy && CPU_ISSET(core, &allowed) &&
          (best < 0 || of_core[index(core)].size() < of_core[index(best)].size()))
        best = core;
    return best;
  }
  void move(pid_t thread, int core) {
    cpu_set_t only;
    CPU_ZERO(&only);
    CPU_SET(core, &only);
    if (sched_setaffinity(thread, sizeof only, &only) != 0) return;
    forget(thread);
    of_core[index(core)].push_back(thread);
    taken[index(core)] = true;
  }
  void forget(pid_t thread) {
    for (std::size_t core = 0; core < of_core.size(); ++core)
      if (std::erase(of_core[core], thread) > 0) taken[core] = !of_core[core].empty();
  }
  static std::size_t index(int core) { return static_cast<std::size_t>(core); }
};

core_tenants& tenants() {
  static auto* table = new core_tenants;  // never destroyed: work may still run while the program ends
  return *table;
}

// Whether the calling thread has a core; the core is given back when the thread ends.
struct tenancy {
  bool begun = false;
  ~tenancy() {
    if (!begun) return;
    core_tenants& table = tenants();
    std::lock_guard lock(table.mutex);
    table.forget(gettid());
  }
};
thread_local tenancy this_threads_tenancy;

}  // namespace

void take_a_core() {
  core_tenants& table = tenants();
  if (this_threads_tenancy.begun || !table.in_use) return;
  this_threads_tenancy.begun = true;
  std::lock_guard lock(table.mutex);
  if (const int core = table.emptiest_core(-1); core >= 0) table.move(gettid(), core);
}

void keep_this_core_free() {
  core_tenants& table = tenants();
  if (this_threads_tenancy.begun || !table.in_use) return;
  const int here = sched_getcpu();
  if (here < 0 || !table.taken[core_tenants::index(here)]) return;
  std::lock_guard lock(table.mutex);
  // Otherwise two threads that both call this would chase a third from one core to the other.
  const auto now = clock::now();
  if (now - table.moved < std::chrono::milliseconds(1)) return;
  table.moved = now;
  for (const pid_t thread : std::vector(table.of_core[core_tenants::index(here)]))
    if (const int core = table.emptiest_core(here); core >= 0) table.move(thread, core);
}

}  // namespace gs::inline GS_FLAVOUR::detail
