#include "runtime/instruments/checks/host_accesses.h"

#if GRIDSTRIDE_CHECKED

#include <iterator>

namespace gs::inline GS_FLAVOUR::instruments {

void host_accesses::begin_inspection() {
  {
    const std::lock_guard lock(mutex_);
    by_code_.clear();
    managed_.clear();
    for (const allocation& a : observed_.arena.allocations())
      if (a.managed) managed_[a.begin] = a.end();
  }
  close();
}

void host_accesses::array_made(const allocation& array) {
  if (array.managed) {
    const std::lock_guard lock(mutex_);
    managed_[array.begin] = array.end();
  }
  close();
}

void host_accesses::array_lent(const allocation& array) {
  const std::lock_guard lock(mutex_);
  managed_[array.begin] = array.end();
}

// The arena is there from the first array on.
void host_accesses::close() {
  if (observed_.arena.base() == 0) return;
  closed_from_ = observed_.arena.base();
  closed_bytes_ = device_arena::reserved;
}

void host_accesses::end_inspection() {
  closed_bytes_ = 0;
  report();
}

void host_accesses::host_access(std::uintptr_t address, access_kind kind, const void* code) {
  const std::lock_guard lock(mutex_);
  const auto after = managed_.upper_bound(address);
  if (after != managed_.begin() && address < std::prev(after)->second) return;
  accesses& known = by_code_[{code, kind}];
  if (known.count++ == 0) known.first = address;
}

void host_accesses::report() {
  observation& o = observed_;
  const std::lock_guard lock(mutex_);
  for (const auto& [by, made] : by_code_) {
    const auto& [code, kind] = by;
    const finding_log::key key{finding_kind::device_memory, "", o.sites.number_of_code(code), unknown_site, kind};
    finding f;
    f.kind = finding_kind::device_memory;
    f.access.kind = kind;
    f.access.has_threads = false;
    if (const allocation* owner = o.arena.find(made.first)) f.made = o.sites.place(owner->made);
    f.count = made.count;
    o.log.add(key, std::move(f));
  }
}

}  // namespace gs::inline GS_FLAVOUR::instruments

#endif
