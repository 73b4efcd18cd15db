#include "runtime/instruments/checks/hidden_accesses.h"

#if GRIDSTRIDE_CHECKED

namespace gs::inline GS_FLAVOUR::instruments {

void hidden_accesses::begin_inspection() {
  access_trap::begin();
  for (const allocation& a : observed_.arena.allocations())
    if (!a.freed && !a.pinned) access_trap::add(a.begin, a.bytes);
  access_trap::draw();
}

void hidden_accesses::begin_work() {
  announced_ = {};
  access_trap::draw();
}

void hidden_accesses::before_access(std::uintptr_t address, std::size_t bytes) {
  if (!access_trap::is_on()) return;
  stretch& last = announced_[next_announced_ % announced_.size()];
  if (last.begin <= address && address <= last.end)
    last.end = std::max(last.end, address + bytes);
  else
    announced_[++next_announced_ % announced_.size()] = {address, address + bytes};
}

void hidden_accesses::trapped(std::uintptr_t address, access_kind kind, const void* next) {
  const auto holds = [&](const stretch& s) { return s.begin <= address && address < s.end; };
  if (std::ranges::any_of(announced_, holds)) return;
  observed_.report(finding_kind::unseen_access, kind, observed_.sites.number_of_stack_from(next), address, nullptr,
                   observed_.arena.find(address));
}

}  // namespace gs::inline GS_FLAVOUR::instruments

#endif
