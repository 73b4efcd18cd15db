#pragma once
// work_order: which pieces of queued work come before which, whatever the schedule.
//
// A vector clock (Mattern, "Virtual Time and Global States of Distributed Systems", 1989) with one component per
// stream: the number of the stream's last piece of work that must have run. Threads of the host count as one.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR::instruments {

class work_order {
 public:
  /// Everything `other` comes after, this comes after too.
  void join(const work_order& other) {
    if (last_.size() < other.last_.size()) last_.resize(other.last_.size());
    for (std::size_t s = 0; s < other.last_.size(); ++s) last_[s] = std::max(last_[s], other.last_[s]);
  }
  /// One more piece of work on stream number `stream`.
  void advance(unsigned stream) {
    if (last_.size() <= stream) last_.resize(stream + 1);
    ++last_[stream];
  }
  std::uint32_t last_of(unsigned stream) const { return stream < last_.size() ? last_[stream] : 0; }

 private:
  std::vector<std::uint32_t> last_;
};

}  // namespace gs::inline GS_FLAVOUR::instruments
