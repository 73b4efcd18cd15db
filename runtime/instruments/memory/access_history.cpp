#include "runtime/instruments/memory/access_history.h"

#if GRIDSTRIDE_CHECKED

#include <bit>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace gs::inline GS_FLAVOUR::instruments {
namespace {

constexpr std::uint32_t first_length = 16;  // of a list that is thinned out; then at each power of two
constexpr std::uint32_t most_kept = 4096;   // for one cell: older ones are forgotten

template <class Visit>
void each_lane(const kept_access& all, const Visit& visit) {
  mark one = all.by;
  for (std::uint32_t left = all.lanes; left != 0; left &= left - 1) {
    one.thread = (one.thread / 32 * 32 + static_cast<unsigned>(std::countr_zero(left))) & 1023;
    visit(one);
  }
}

}  // namespace

bool access_history::comes_before(const kept_access& earlier, memory_space space) const {
  bool all = true;
  each_lane(earlier, [&](const mark& one) { all = all && relation_to(one, space) == relation::ordered; });
  return all;
}

// A plain access stands for an atomic one that comes before it, but not the other way round: atomic operations race
// with plain accesses only.
void access_history::keep(shadow& cells, std::uint32_t& list, const mark& earlier, const mark& me,
                          memory_space space) const {
  if ((earlier.atomic || !me.atomic) && relation_to(earlier, space) == relation::ordered) {
    // Mostly a barrier lies between, and the list goes with it.
    while (list != 0 && !me.atomic && !time_.in_this_phase(cells.kept(list).by) &&
           (space == memory_space::shared || time_.in_this_block(cells.kept(list).by)))
      cells.pop(list);
    return;
  }
  const std::uint32_t lane = std::uint32_t{1} << earlier.thread % 32;
  if (list != 0) {
    kept_access& last = cells.kept(list);
    if (last.by.when == earlier.when && last.by.thread / 32 == earlier.thread / 32 && last.by.time == earlier.time &&
        last.by.atomic == earlier.atomic) {
      last.lanes |= lane;
      return;
    }
  }
  cells.push(list, earlier, lane);
  const std::uint32_t length = cells.kept(list).length;
  if (length >= first_length && std::has_single_bit(length)) thin_out(cells, list, me, space);
}

void access_history::thin_out(shadow& cells, std::uint32_t& list, const mark& me, memory_space space) const {
  std::vector<kept_access> staying;
  std::map<std::tuple<phase, unsigned, bool>, std::uint32_t> later;  // lanes of a warp that come again, in a phase
  std::set<std::pair<unsigned, bool>> streams;
  bool left_behind[2] = {false, false};  // of plain and of atomic accesses
  for (; list != 0; cells.pop(list)) {
    kept_access one = cells.kept(list);
    const bool atomic = one.by.atomic;
    std::uint32_t& again = later[{one.by.when, one.by.thread / 32, atomic}];
    one.lanes &= ~again;
    again |= one.lanes;
    if (one.lanes == 0 || staying.size() >= most_kept) continue;
    if ((atomic || !me.atomic) && comes_before(one, space)) continue;
    if (space == memory_space::global && !time_.in_this_launch(one.by)) {
      if (!streams.emplace(time_.stream_of(one.by), atomic).second) continue;
    } else if (space == memory_space::global && !time_.in_this_block(one.by)) {
      bool none_handed_over = false;
      each_lane(one, [&](const mark& m) { none_handed_over = none_handed_over || time_.left_behind(m); });
      if (none_handed_over && std::exchange(left_behind[atomic], true)) continue;
    }
    staying.push_back(one);
  }
  for (auto one = staying.rbegin(); one != staying.rend(); ++one) cells.push(list, one->by, one->lanes);
}

}  // namespace gs::inline GS_FLAVOUR::instruments

#endif
