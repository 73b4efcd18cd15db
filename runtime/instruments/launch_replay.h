#pragma once
// launch_replay: each launch is observed in several orders of its blocks and threads, from the same memory: which
// accesses a kernel makes may depend on who comes first. What the first order leaves in memory stays; later ones are
// undone, and count and print nothing.

#include <cstddef>
#include <cstdint>
#include <exception>
#include <set>
#include <string>
#include <vector>

#include "runtime/core/config.h"
#include "runtime/core/function_ref.h"
#include "runtime/observe/observe.h"

#if GRIDSTRIDE_CHECKED

#include "runtime/instruments/memory/undo_journal.h"
#include "runtime/instruments/observing/observation.h"

namespace gs::inline GS_FLAVOUR::instruments {

class launch_replay {
 public:
  explicit launch_replay(observation& observed) : observed_(observed) {}
  void begin_inspection();
  /// A sentence for each kernel that wasn't observed in all orders.
  std::vector<std::string> take_notes();

  /// How often the launch is to run; `finds`: somebody wants more than one order.
  unsigned begin_launch(const launch_description& launch, bool finds);
  /// Calls run_once for each order. It returns what the run has thrown; that of the first run is returned here.
  std::exception_ptr run(const launch_description& launch, detail::function_ref<std::exception_ptr()> run_once);

  /// Before an access of the run: whether there have been too many for one that ends.
  bool is_endless() const { return !observed_.order.as_numbered() && observed_.accesses > last_access_; }
  /// Whether what is about to be written is to be saved.
  bool saves() const { return saves_; }
  /// Saves it. False if it can't be, and the run mustn't go on.
  bool save(std::uintptr_t address, std::size_t bytes, bool of_array) {
    const bool saved = of_array ? journal_.save_pages(address, bytes) : journal_.save_bytes(address, bytes);
    return saved || observed_.order.as_numbered();
  }
  /// The rest of the run is to be left out.
  void give_up() { given_up_ = true; }
  bool given_up() const { return given_up_; }

 private:
  void run_in_other_orders(const launch_description& launch, detail::function_ref<std::exception_ptr()> run_once,
                           std::uint64_t most_accesses, bool has_failed);
  void stay_with_one_order(std::string_view kernel, const std::string& why);

  observation& observed_;
  undo_journal journal_;
  bool saves_ = false;
  bool given_up_ = false;
  std::uint64_t last_access_ = 0;  // after it the run is given up
  std::size_t snapshot_bytes_ = 0;
  std::set<std::string, std::less<>> in_one_order_;  // kernels that aren't to run again
  std::vector<std::string> notes_;
};

}  // namespace gs::inline GS_FLAVOUR::instruments

#endif
