#pragma once
// timeline: what has run in which order, who runs now, and which earlier accesses the present one comes after.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "runtime/core/config.h"
#include "runtime/instruments/memory/shadow.h"
#include "runtime/observe/observe.h"

#if GRIDSTRIDE_CHECKED

namespace gs::inline GS_FLAVOUR::instruments {

/// How two accesses lie to each other.
enum class relation : std::uint8_t { ordered, in_block, between_blocks, between_streams };

/// Time is counted in phases. Since blocks run one after the other, and their threads meet between two phases, most
/// questions of order are comparisons of phases; the answers hold for every schedule, because they never ask which of
/// two unordered accesses came first.
class timeline {
 public:
  struct work_record {
    phase first = 0;
    queued_work order;
    std::string kernel;
    index3 grid, block;
    bool is_launch = false;
  };

  void begin_work(const queued_work& work);
  /// The same piece of work once more.
  void begin_again() {
    const queued_work same = work().order;
    begin_work(same);
  }
  void name_work(std::string_view name) { works_.back().kernel = name; }
  void begin_launch(const launch_description& launch);
  void end_launch() { in_launch_ = false; }
  void enter_block(std::size_t number, bool goes_on);
  /// The block that runs is left where it is, and others run before it goes on.
  void set_block_aside();
  void go_back_to_block(std::size_t number);
  void enter_thread(unsigned number) {
    thread_ = number;
    warp_time_ = warp_time_of(number);
  }
  void block_has_met();
  void warp_has_met(unsigned warp, std::uint32_t mask);
  void grid_has_met();

  unsigned thread() const { return thread_; }
  std::size_t block() const { return block_; }
  bool in_launch() const { return in_launch_; }
  const work_record& work() const { return works_.back(); }

  /// An access by the thread that runs now.
  mark now(site where) const {
    return {.when = now_,
            .where = where,
            .thread = thread_ & 1023,
            .time = std::min(warp_time_, mark::last_time) & mark::last_time};
  }
  relation to(const mark& earlier) const {
    if (by_this_run(earlier)) return to_shared(earlier);
    if (earlier.when >= interval_first_)
      return handed_over(earlier) || uncounted(earlier) ? relation::ordered : relation::between_blocks;
    if (earlier.when >= launch_first_ || earlier.when < settled_) return relation::ordered;
    return comes_before(earlier) ? relation::ordered : relation::between_streams;
  }
  /// The same for shared memory, which other blocks don't reach.
  relation to_shared(const mark& earlier) const {
    if (earlier.when < now_ || earlier.thread == thread_ || met_in_warp(earlier)) return relation::ordered;
    return handed_over(earlier) || uncounted(earlier) ? relation::ordered : relation::in_block;
  }
  /// Whether the block that runs now, or the same block earlier in a cooperative launch, made the access.
  bool by_this_block(const mark& m) const { return m.when >= shared_first_; }
  bool by_this_run(const mark& m) const {
    return m.when >= block_first_ && (!blocks_alternate_ || block_of(m.when) == block_);
  }
  /// Whether another block of this launch made the access, and none that runs later can come after it: the block has
  /// ended without handing it over.
  bool left_behind(const mark& m) const;
  bool in_this_phase(const mark& m) const { return m.when == now_; }
  bool in_this_block(const mark& m) const { return by_this_run(m); }
  bool in_this_interval(const mark& m) const { return m.when >= interval_first_; }
  bool in_this_launch(const mark& m) const { return m.when >= launch_first_; }
  /// The stream of the work that made the access.
  unsigned stream_of(const mark& m) const { return work_of(m.when).order.stream; }
  bool in_other_warp(const mark& m) const { return m.when == now_ && m.thread / 32 != thread_ / 32; }

  /// A fence by this thread; an atomic operation, which hands over what this thread did before its last fence, to its
  /// block or to all, and takes over what others have handed over at the address.
  void fence(fence_scope scope);
  void hand_over(std::uintptr_t address);
  void take_over(std::uintptr_t address);

  /// Who made an access.
  const work_record& work_of(phase when) const;
  std::size_t block_of(phase when) const;

 private:
  struct handover;
  struct block_run {
    phase first;
    std::size_t block;
    std::vector<const handover*> handed_to = {};  // to other blocks
  };
  struct stream_run {
    std::uint32_t number;  // of the work on its stream
    phase first;
  };
  // Within a phase, each warp counts the fences and barriers of its lanes: a time that they have in common.
  struct meeting {  // of lanes of a warp
    std::uint32_t time, mask;
  };
  struct fence_record {
    phase when = 0;
    std::uint32_t time = 0;
  };
  struct warp_record {
    std::uint32_t time = 0;
    std::vector<meeting> meetings;
  };
  struct fences_of_thread {  // the last one that the block sees, and that all blocks see
    fence_record block, device;
  };
  // What has been handed over at an address: for each block's run, all that it did before a phase; what single threads
  // did in a phase before a time of their warps, and lanes before they met them. Each with the number of the
  // handing over that brought it, so that one who came earlier knows less; the first is enough, since they only grow.
  struct handed {
    std::size_t number;
    std::uint32_t limit;  // a phase, or a warp's time
  };
  struct handover {
    std::size_t count = 0;                      // of handings over so far
    std::map<phase, std::vector<handed>> runs;  // by the run's first phase
    std::map<std::pair<phase, unsigned>, std::vector<handed>> threads;
    std::map<std::pair<phase, unsigned>, std::vector<handed>> lanes;
    std::map<const handover*, std::vector<handed>> passed_on;  // what came from there: limit handings over of it
  };
  using knowledge = std::map<const handover*, std::size_t>;  // how many handings over of each have been taken

  // What a warp does after so many fences and barriers can't be told apart any more.
  static bool uncounted(const mark& m) { return m.time == mark::last_time; }
  static bool add(std::vector<handed>& to, handed more);
  static bool covers(const handover& all, std::size_t count, const mark& earlier);
  static void learn(knowledge& mine, const handover* from, std::size_t count);
  void hand_over(handover& here, const fence_record& fence) const;
  bool hand_over_lanes(handover& here, std::uint32_t fenced_at) const;
  bool met_in_warp(const mark& earlier) const;
  bool handed_over(const mark& earlier) const;
  bool comes_before(const mark& earlier) const;
  std::uint32_t warp_time_of(unsigned thread) const {
    const unsigned warp = thread / 32;
    return warp < warps_.size() ? warps_[warp].time : 0;
  }
  const block_run* run_of(phase when) const;
  void next_phase();

  phase now_ = 1, last_ = 1;  // the present one, and the one that was begun last
  phase block_first_ = 1;     // of the present run of this block
  phase interval_first_ = 1;  // since the launch began, or the grid last met
  phase launch_first_ = 1;
  phase settled_ = 1;       // all work before it comes before what runs now
  phase shared_first_ = 1;  // since when this block has had its shared memory
  unsigned thread_ = 0;
  std::uint32_t warp_time_ = 0;  // of its warp
  std::size_t block_ = 0;
  bool in_launch_ = false;
  std::vector<work_record> works_;
  std::vector<block_run> runs_;
  std::map<unsigned, std::vector<stream_run>> of_stream_;
  std::map<std::size_t, phase> first_of_block_;  // of a cooperative launch
  std::vector<warp_record> warps_;               // of the block, in this phase
  // Of this launch, by address and by the first phase of the block's run that they are for: 0 for all blocks.
  std::map<std::pair<std::uintptr_t, phase>, handover> handovers_;
  knowledge of_block_;                       // what the block has taken over before its last barrier
  std::map<unsigned, knowledge> of_thread_;  // and each thread since
  struct block_aside {
    phase now, block_first, shared_first;
    unsigned thread;
    std::vector<warp_record> warps;
    knowledge of_block;
    decltype(of_thread_) of_thread;
    std::vector<fences_of_thread> fences;
  };
  std::map<std::size_t, block_aside> aside_;  // by number
  bool blocks_alternate_ = false;             // in this launch
  std::vector<fences_of_thread> fences_ = std::vector<fences_of_thread>(1024);
};

}  // namespace gs::inline GS_FLAVOUR::instruments

#endif
