#include "runtime/engine/core_affinity.h"

#include <sched.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <mutex>

#include "runtime/engine/cores.h"

namespace gs::inline GS_FLAVOUR {
namespace {

using clock = std::chrono::steady_clock;

// The owner of each core: 0 for nobody, else the number the system gave the thread.
struct core_owners {
  std::mutex mutex;
  std::array<std::atomic<pid_t>, CPU_SETSIZE> of_core{};
  cpu_set_t allowed;
  bool in_use;
  clock::time_point moved{};

  core_owners() {
    CPU_ZERO(&allowed);
    in_use = sched_getaffinity(0, sizeof allowed, &allowed) == 0 &&
             pool_threads() + 1 == static_cast<unsigned>(CPU_COUNT(&allowed));
  }

  // A core that nobody has and that isn't `busy`; -1 if there is none.
  int free_core(int busy) const {
    for (int core = 0; core < CPU_SETSIZE; ++core)
      if (core != busy && CPU_ISSET(core, &allowed) && of_core[static_cast<std::size_t>(core)] == 0) return core;
    return -1;
  }
  void move(pid_t thread, int core) {
    cpu_set_t only;
    CPU_ZERO(&only);
    CPU_SET(core, &only);
    if (sched_setaffinity(thread, sizeof only, &only) == 0) of_core[static_cast<std::size_t>(core)] = thread;
  }
};

core_owners& owners() {
  static auto* all = new core_owners;  // never destroyed: work may still run while the program ends
  return *all;
}

// Whether the calling thread has a core; the core is given back when the thread ends.
struct tenancy {
  bool begun = false;
  ~tenancy() {
    if (!begun) return;
    core_owners& all = owners();
    std::lock_guard lock(all.mutex);
    for (auto& owner : all.of_core)
      if (owner == gettid()) owner = 0;
  }
};
thread_local tenancy mine;

}  // namespace

void take_a_core() {
  core_owners& all = owners();
  if (mine.begun || !all.in_use) return;
  mine.begun = true;
  std::lock_guard lock(all.mutex);
  if (const int core = all.free_core(-1); core >= 0) all.move(gettid(), core);
}

void keep_this_core_free() {
  core_owners& all = owners();
  if (mine.begun || !all.in_use) return;
  const int here = sched_getcpu();
  if (here < 0 || all.of_core[static_cast<std::size_t>(here)] == 0) return;
  std::lock_guard lock(all.mutex);
  // Two threads that both call would otherwise chase a third from one core to the other.
  const auto now = clock::now();
  if (now - all.moved < std::chrono::milliseconds(1)) return;
  const pid_t owner = all.of_core[static_cast<std::size_t>(here)];
  const int core = all.free_core(here);
  if (owner == 0 || core < 0) return;
  all.moved = now;
  all.move(owner, core);
  all.of_core[static_cast<std::size_t>(here)] = 0;
}

}  // namespace gs::inline GS_FLAVOUR
