#pragma once
// inspect_options: what gs::inspect looks for, and how.

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "runtime/core/config.h"
#include "runtime/instruments/results/finding.h"

namespace gs::inline GS_FLAVOUR {

/// How far an inspection is.
struct inspect_progress {
  double seconds = 0;                         ///< since it began
  std::uint64_t accesses = 0;                 ///< of single threads, so far
  std::string_view kernel = {};               ///< of the launch that runs; empty between launches
  double launch_seconds = 0;                  ///< since that launch began
  std::uint64_t blocks_done = 0, blocks = 0;  ///< of that launch
};

/// What is looked for.
struct inspect_options {
  std::bitset<detail::instrument_count> instruments =
      ~std::bitset<detail::instrument_count>();  ///< by the number of gs::instrument
  bool counters = true;                          ///< whether accesses are counted, by line and by kernel
  /// Whether two threads that write the same bytes to one element race. CUDA leaves which write lasts undefined, so
  /// such a race changes no result; it is reported as such.
  bool same_value_races = true;
  /// Whether accesses to device memory are looked for that the compiler puts no hook before, as inline assembly's: on
  /// pages drawn at random for each launch, at the cost of a fault for each access to them. x86-64 only.
  bool hidden_accesses = false;
  /// The GPU whose limits apply, and whose bounds are shown: a compute capability, "7.0" to "12.0", or a card that
  /// model_of knows.
  std::string model = "9.0";
  /// What a thread takes on a GPU, as `nvcc --resource-usage` prints it; 0: not known, and no limit.
  unsigned registers_per_thread = 0;
  /// In how many orders of its blocks and threads each launch is observed, from the same memory: as they are numbered,
  /// then in reverse, then in pseudo-random permutations. Results and counters are the first one's, findings are those
  /// of all. N orders take about N times as long. A launch that writes more than fits into `snapshot_bytes` twice is
  /// observed once, and a note says so; 0: a quarter of the machine's memory.
  unsigned orders = 2;
  std::size_t snapshot_bytes = 0;  ///< most bytes of a copy of the memory from which a launch is observed again
  /// Called about ten times a second while kernels run, by a thread of the engine. It must not launch or wait.
  std::function<void(const inspect_progress&)> on_progress = {};

  bool wants(instrument i) const { return instruments[static_cast<std::size_t>(i)]; }  ///< whether instrument `i` is on

  /// What GRIDSTRIDE_INSPECT says: names separated by commas, of gs::instrument, "counters", "same_value_races" (on
  /// unless left out), "all", or "none"; a name after a minus is left out ("all,-counters", "-leakcheck"). Unset:
  /// everything. GRIDSTRIDE_GPU gives the model, GRIDSTRIDE_ORDERS the orders.
  /// Throws gs::error for a name that is none, and for orders that are no number from 1 to 1000.
  static inspect_options from_environment();
};

}  // namespace gs::inline GS_FLAVOUR
