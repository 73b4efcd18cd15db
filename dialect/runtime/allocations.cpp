#include "dialect/runtime/allocations.h"

#include <iterator>
#include <utility>

#include "runtime/device/device.h"

// The first and the last address of the program, or of the module that the dialect is linked into, by the linker.
extern "C" const char __ehdr_start[], _end[];

namespace dialect {
namespace {

// The memory of a gs array, which no call of CUDA's has allocated: a program may use both.
std::optional<allocation> array_of_gs(const void* address) {
  gs::detail::device_context& device = gs::detail::device_context::current();
  for (const auto& [kind, use] : {std::pair{gs::detail::memory_kind::device, memory_use::device},
                                  {gs::detail::memory_kind::managed, memory_use::managed},
                                  {gs::detail::memory_kind::pinned, memory_use::pinned}})
    if (const auto block = device.pool(kind).block_of(address); !block.empty())
      return allocation{.begin = reinterpret_cast<const char*>(block.data()), .bytes = block.size(), .use = use};
  return std::nullopt;
}

}  // namespace

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
  const auto after = by_begin_.upper_bound(address);
  if (after == by_begin_.begin()) return array_of_gs(address);
  const allocation& before = std::prev(after)->second;
  if (before.holds(address, 0)) return before;
  auto array = array_of_gs(address);
  return array && array->holds(before.begin, 0) ? std::nullopt
                                                : array;  // a block may be larger than what was asked for
}

void allocation_table::clear() {
  const std::lock_guard lock(mutex_);
  by_begin_.clear();
}

bool is_variable(const void* address) { return address >= __ehdr_start && address < _end; }

}  // namespace dialect
