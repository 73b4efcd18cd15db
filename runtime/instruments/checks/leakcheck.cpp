#include "runtime/instruments/checks/leakcheck.h"

#if GRIDSTRIDE_CHECKED

#include <utility>

namespace gs::inline GS_FLAVOUR::instruments {

void leakcheck::end_inspection() {
  observation& o = observed_;
  for (std::size_t i = arrays_before_; i < o.arena.allocations().size(); ++i) {
    const allocation& a = o.arena.allocations()[i];
    if (a.freed || a.pinned) continue;
    const finding_log::key key{finding_kind::leak, "", a.made, unknown_site};
    if (o.log.count_again(key) != finding_log::no_finding) continue;
    finding f;
    f.kind = finding_kind::leak;
    f.access.where = f.made = o.sites.place(a.made);
    o.log.add(key, std::move(f));
  }
}

}  // namespace gs::inline GS_FLAVOUR::instruments

#endif
