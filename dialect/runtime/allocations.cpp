#include "dialect/runtime/allocations.h"

#include <utility>

// The first and the last address of the program, by the linker.
extern "C" const char __executable_start[], _end[];

namespace dialect {

allocation_table& allocation_table::get() {
  static auto* const table = new allocation_table;  // never destroyed: other statics may still free memory
  return *table;
}

void allocation_table::add(allocation one) {
  const std::lock_guard lock(mutex_);
  by_begin_[one.begin] = std::move(one);
}

std::optional<allocation> allocation_table::take(const void* begin) {
  const std::lock_guard lock(mutex_);
  const auto found = by_begin_.find(begin);
  if (found == by_begin_.end()) return std::nullopt;
  allocation taken = std::move(found->second);
  by_begin_.erase(found);
  return taken;
}

std::optional<allocation> allocation_table::find(const void* address) const {
  const std::lock_guard lock(mutex_);
  auto after = by_begin_.upper_bound(address);
  if (after == by_begin_.begin()) return std::nullopt;
  const allocation& before = (--after)->second;
  return before.holds(address, 0) ? std::optional(before) : std::nullopt;
}

void allocation_table::clear() {
  const std::lock_guard lock(mutex_);
  by_begin_.clear();
}

bool is_variable(const void* address) { return address >= __executable_start && address < _end; }

}  // namespace dialect
