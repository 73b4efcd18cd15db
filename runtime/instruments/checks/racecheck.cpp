#include "runtime/instruments/checks/racecheck.h"

#if GRIDSTRIDE_CHECKED

#include <bit>
#include <cstring>
#include <utility>

namespace gs::inline GS_FLAVOUR::instruments {

bool racecheck::conflict(const kept_access& earlier, const observed_access& a, access_kind earlier_kind) {
  mark one = earlier.by;
  for (std::uint32_t lanes = earlier.lanes; lanes != 0; lanes &= lanes - 1) {
    one.thread = (one.thread / 32 * 32 + static_cast<unsigned>(std::countr_zero(lanes))) & 1023;
    if (conflict(one, a, earlier_kind)) return true;
  }
  return false;
}

void racecheck::report(relation lies, const mark& earlier, const observed_access& a, access_kind earlier_kind) {
  observation& o = observed_;
  const finding_kind kind = lies == relation::in_block         ? finding_kind::race_in_block
                            : lies == relation::between_blocks ? finding_kind::race_between_blocks
                                                               : finding_kind::race_between_streams;
  const finding_log::key key{kind, o.time.work().kernel, a.by.where, earlier.where, a.kind, earlier_kind};
  const bool two_writes = a.kind == access_kind::write && earlier_kind == access_kind::write;
  std::size_t number = o.log.count_again(key);
  if (number == finding_log::no_finding && !o.order.as_numbered()) number = o.log.count_reversed(key);
  if (number == finding_log::no_finding) {
    finding f = o.finding_here(kind, a.kind);
    f.other = o.who(earlier, earlier_kind);
    f.same_value = two_writes;  // until one of them writes something else
    o.locate(f, a.address, a.note, a.owner);
    number = o.log.add(key, std::move(f));
  }
  if (two_writes && o.log[number].same_value) compare_later(number, a.address, a.bytes);
}

// A write may race with several earlier ones; its bytes are kept once.
void racecheck::compare_later(std::size_t finding, std::uintptr_t address, std::size_t bytes) {
  const bool is_kept = !pending_.empty() && pending_.back().address == address && pending_.back().bytes == bytes;
  if (is_kept && pending_.back().finding == finding) return;
  const std::size_t before = is_kept ? pending_.back().before : before_.size();
  if (!is_kept) {
    const auto* const memory = reinterpret_cast<const std::byte*>(address);
    before_.insert(before_.end(), memory, memory + bytes);
  }
  pending_.push_back({finding, address, bytes, before});
}

void racecheck::settle_pending() {
  for (const pending_write& w : pending_)
    if (std::memcmp(&before_[w.before], reinterpret_cast<const void*>(w.address), w.bytes) != 0)
      observed_.log[w.finding].same_value = false;
  forget_pending();
}

}  // namespace gs::inline GS_FLAVOUR::instruments

#endif
