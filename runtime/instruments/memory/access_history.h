#pragma once
// access_history: what a cell remembers of the accesses to it, so that a later one which comes after some of them and
// not after others is found to race.
//
// An access may go once whatever races with it races with another one that stays, too. So of what is ordered among
// itself the last one stays: a stream's last piece of work, a thread's last access, a block's since its barrier. Blocks
// that have ended without handing anything over are alike for all that run later: one of them stays.

#include <cstdint>

#include "runtime/core/config.h"
#include "runtime/instruments/memory/shadow.h"
#include "runtime/instruments/memory/timeline.h"
#include "runtime/instruments/results/finding.h"

#if GRIDSTRIDE_CHECKED

namespace gs::inline GS_FLAVOUR::instruments {

class access_history {
 public:
  explicit access_history(const timeline& time) : time_(time) {}

  relation relation_to(const mark& earlier, memory_space space) const {
    return space == memory_space::shared ? time_.to_shared(earlier) : time_.to(earlier);
  }

  /// An access of that kind by `me` to what the cell stands for.
  void remember(shadow& cells, cell& c, const mark& me, access_kind kind, bool writes, memory_space space) const {
    switch (kind) {
      case access_kind::read:
        remember_read(cells, c, me, space);
        break;
      case access_kind::write:
        c.write = me;
        // Whoever races with what was before, and not with this write, has been reported.
        cells.clear(c.more_reads);
        cells.clear(c.more_atomics);
        break;
      case access_kind::atomic: {
        mark atomic = me;
        atomic.atomic = !writes;
        if (writes)
          remember_atomic(cells, c, atomic, space);
        else
          remember_read(cells, c, atomic, space);
        break;
      }
    }
  }

  // `other` keeps what races with more than the last one does: the access of another block, or of another warp.
  void remember_read(shadow& cells, cell& c, const mark& me, memory_space space) const {
    mark& last = c.read;
    mark& other = c.other_read;
    if (last.when != me.when || last.thread != me.thread || last.atomic != me.atomic) {
      const bool keeps = space == memory_space::global && other.when != 0 && other.when < me.when &&
                         time_.to(other) != relation::ordered;
      const bool keeps_warp = time_.in_other_warp(other) && !time_.in_other_warp(last);
      mark& gone = keeps || keeps_warp ? last : other;
      if (gone.when != 0) keep(cells, c.more_reads, gone, me, space);
      // What another launch of the stream has read before, or this one in another order, the present read stands for.
      const bool stands_for_last = !time_.in_this_launch(last) && (last.atomic || !me.atomic) && last.when != 0 &&
                                   time_.to(last) == relation::ordered;
      if (&gone == &other) other = stands_for_last ? mark() : last;
    }
    last = me;
  }

 private:
  void remember_atomic(shadow& cells, cell& c, const mark& me, memory_space space) const {
    if (c.atomic.when != 0 && (c.atomic.when != me.when || c.atomic.thread != me.thread))
      keep(cells, c.more_atomics, c.atomic, me, space);
    c.atomic = me;
  }
  // Accesses that a cell has no place for.
  void keep(shadow& cells, std::uint32_t& list, const mark& earlier, const mark& me, memory_space space) const;
  void thin_out(shadow& cells, std::uint32_t& list, const mark& me, memory_space space) const;
  bool comes_before(const kept_access& earlier, memory_space space) const;

  const timeline& time_;
};

}  // namespace gs::inline GS_FLAVOUR::instruments

#endif
