#include "runtime/instruments/device_arena.h"

#include <sys/mman.h>

#include <algorithm>

namespace gs::inline GS_FLAVOUR::instruments {

void allocation::note_copy(std::size_t from, std::size_t to) {
  if (from == 0 && to >= bytes) {
    all_written = true;
    copied.clear();
  } else if (!all_written && from < to) {
    copied.emplace_back(from, to);
    std::ranges::sort(copied);
    std::size_t kept = 0;
    for (const auto& [begin, end] : copied) {
      if (kept > 0 && begin <= copied[kept - 1].second)
        copied[kept - 1].second = std::max(copied[kept - 1].second, end);
      else
        copied[kept++] = {begin, end};
    }
    copied.resize(kept);
  }
}

bool allocation::written(std::size_t offset, const cell* mine) const {
  if (all_written || (mine && mine->written)) return true;
  const auto after = std::ranges::upper_bound(copied, offset, {}, [](const auto& stretch) { return stretch.first; });
  return after != copied.begin() && offset < std::prev(after)->second;
}

bool device_arena::reserve() {
  if (base_) return true;
  const auto map = [](std::size_t bytes, int protection) {
    void* made = mmap(nullptr, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return made == MAP_FAILED ? nullptr : made;
  };
  void* base = map(reserved, PROT_NONE);
  void* owner = map(reserved / page * sizeof *owner_, PROT_READ | PROT_WRITE);
  if (!base || !owner) return false;
  base_ = reinterpret_cast<std::uintptr_t>(base);
  owner_ = static_cast<std::uint32_t*>(owner);
  return true;
}

void* device_arena::allocate(std::size_t bytes) {
  const std::size_t pages = (bytes + page - 1) / page * page;
  if (!reserve() || used_ + pages + page > reserved) return nullptr;
  auto* memory = reinterpret_cast<void*>(base_ + used_);
  if (mprotect(memory, pages, PROT_READ | PROT_WRITE) != 0) return nullptr;
  used_ += pages + page;
  return memory;
}

// Still readable: a kernel that goes on after a finding reads zeros.
void device_arena::deallocate(void* memory, std::size_t bytes) { madvise(memory, bytes, MADV_DONTNEED); }

void device_arena::let_through(std::uintptr_t address) {
  mprotect(reinterpret_cast<void*>(address / page * page), 2 * page, PROT_READ | PROT_WRITE);
}

allocation& device_arena::describe(void* memory, std::size_t bytes, const std::source_location& made,
                                   site_table& sites) {
  allocation& one = allocations_.emplace_back();
  one.begin = reinterpret_cast<std::uintptr_t>(memory);
  one.bytes = bytes;
  one.made = sites.number_of_caller(made);
  const auto number = static_cast<std::uint32_t>(allocations_.size());
  for (std::size_t p = (one.begin - base_) / page; p * page < one.end() - base_; ++p) owner_[p] = number;
  return one;
}

}  // namespace gs::inline GS_FLAVOUR::instruments
