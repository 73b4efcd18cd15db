#pragma once
// A contest: several ways to do the same work, timed side by side, round by round.

#include <cstddef>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/measure/outside_peer.h"

namespace bench {

/// Why an entrant is measured.
enum class role {
  ours,  ///< through the runtime
  peer,  ///< what an expert would write without it
  limit  ///< the least that the machine needs for the same traffic
};
std::string_view to_string(role r);

/// The hardware an entrant computes on. Ratios are taken between entrants on the same hardware.
enum class hardware { all_cores, one_core, gpu };
std::string_view to_string(hardware h);

/// Does the work `calls` times.
using work = std::function<void(std::size_t calls)>;

/// The loop around one call, kept inside the std::function so that its own cost isn't measured with every call.
template <class F>
work repeated(F f) {
  return [f = std::move(f)](std::size_t calls) mutable {
    for (std::size_t i = 0; i < calls; ++i) f();
  };
}

struct entrant {
  std::string name;
  enum role role;
  enum hardware hardware = hardware::all_cores;
  work run;
  std::size_t calls = 0;        ///< per sample; 0 until the contest is warm
  std::vector<double> seconds;  ///< per call, one sample per round
  std::string program = {};     ///< the outside peer's name; empty for an entrant in this process
  /// Instead of `run`, for an entrant with a clock of its own: does the work `calls` times and returns the seconds.
  std::function<double(std::size_t calls)> timed = {};
};

/// Every round times every entrant once, in a new random order, so that a machine whose speed drifts favours none.
/// Before each sample the process becomes idle, so that the waiting threads of one library don't take cores from
/// another; then one call that isn't timed wakes the entrant's own threads and fills the caches with its data.
class contest {
 public:
  /// An entrant with calls == 0 is given as many calls per sample as fill `sample_seconds`.
  void add(std::string name, role r, work run, std::size_t calls = 0);
  void add(std::string name, role r, hardware with, work run, std::size_t calls = 0);

  /// An assignment for peers outside of this process; of several, each peer takes the first whose task it knows.
  void ask_outside(assignment task);
  /// Adds an entrant for every way in which the peer does the task, once its results have been compared. A peer that
  /// fails then or later is left out, and so is a way whose result is wrong: left_out() says why.
  void invite(const std::shared_ptr<outside_peer>& peer);

  /// Runs every entrant once and fixes its calls per sample.
  void warm_up();
  /// One sample of every entrant.
  void round();

  const std::vector<entrant>& entrants() const { return entrants_; }
  /// The processes of the peers that take part.
  std::vector<pid_t> processes() const;
  /// A sentence for every peer, or way of a peer, that no longer takes part.
  const std::vector<std::string>& left_out() const { return left_out_; }

  static constexpr double sample_seconds = 1e-3;
  static constexpr std::size_t most_calls = std::size_t{1} << 22;

 private:
  void leave_out(const std::string& program, const std::string& why);
  // A program that fails in `f` is left out with all its ways.
  void each_in_order(const std::vector<std::size_t>& order, const std::function<void(entrant&)>& f);

  std::vector<entrant> entrants_;
  std::vector<assignment> assignments_;
  std::vector<std::shared_ptr<outside_peer>> peers_;
  std::vector<std::string> left_out_;
  std::mt19937 shuffle_{1};  // seeded, so that a run can be repeated
};

/// The entrant of that role, on that hardware, with the least median time; null if there is none.
const entrant* fastest(const std::vector<entrant>& entrants, role r, hardware with = hardware::all_cores);

/// Waits until no thread of this process and of the others named uses a core any more, at most 200 ms: thread pools
/// spin for a while after their last task, and would take that time from the next measurement.
void settle(std::span<const pid_t> others = {});

}  // namespace bench
