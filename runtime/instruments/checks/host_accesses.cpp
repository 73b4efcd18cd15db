#include "runtime/instruments/checks/host_accesses.h"

#if GRIDSTRIDE_CHECKED

#include <iterator>
#include <string_view>
#include <utility>

namespace gs::inline GS_FLAVOUR::instruments {

void host_accesses::begin_inspection() {
  const std::lock_guard lock(mutex_);
  by_code_.clear();
  managed_.clear();
  for (const allocation& a : observed_.arena.allocations())
    if (a.managed) managed_[a.begin] = a.end();
}

void host_accesses::array_made(const allocation& array) {
  if (array.managed) array_lent(array);
}

void host_accesses::array_lent(const allocation& array) {
  const std::lock_guard lock(mutex_);
  managed_[array.begin] = array.end();
}

void host_accesses::host_access(std::uintptr_t address, std::size_t /*bytes*/, access_kind kind, const void* code) {
  const device_variable* variable = nullptr;
  if (!observed_.arena.contains(address)) {
    variable = observed_.variables.find(address);
    if (!variable) return;
  }
  const std::lock_guard lock(mutex_);
  const auto after = managed_.upper_bound(address);
  if (after != managed_.begin() && address < std::prev(after)->second) return;
  accesses& known = by_code_[{code, kind, variable}];
  if (known.count++ == 0) known.first = address;
}

void host_accesses::report() {
  observation& o = observed_;
  const std::lock_guard lock(mutex_);
  for (const auto& [by, made] : by_code_) {
    const auto& [code, kind, variable] = by;
    const finding_kind found = variable ? finding_kind::device_variable : finding_kind::device_memory;
    const std::string_view name = variable ? variable->name : std::string_view();
    const finding_log::key key{found, name, o.sites.number_of_code(code), unknown_site, kind};
    finding f;
    f.kind = found;
    f.access.kind = kind;
    f.access.has_threads = false;
    if (variable) {
      f.array = variable->name;
      f.made = o.sites.place(variable->made);
    } else if (const allocation* owner = o.arena.find(made.first)) {
      f.made = o.sites.place(owner->made);
    }
    f.count = made.count;
    o.log.add(key, std::move(f));
  }
}

}  // namespace gs::inline GS_FLAVOUR::instruments

#endif
