#include "runtime/instruments/memory/device_arena.h"

#include <sys/mman.h>

#include <algorithm>

namespace gs::inline GS_FLAVOUR::instruments {

void allocation::note_copies(const stretches& made) {
  if (all_written) return;
  copied.insert(copied.end(), made.begin(), made.end());
  std::ranges::sort(copied);
  std::size_t kept = 0;
  for (const auto& [begin, end] : copied) {
    if (kept > 0 && begin <= copied[kept - 1].second)
      copied[kept - 1].second = std::max(copied[kept - 1].second, end);
    else
      copied[kept++] = {begin, end};
  }
  copied.resize(kept);
  all_written = kept == 1 && copied[0].first == 0 && copied[0].second >= bytes;
  if (all_written) copied.clear();
}

allocation::stretches allocation::written_in(std::size_t from, std::size_t to) const {
  if (all_written) return {{from, to}};
  stretches found;
  std::size_t begin = from;
  for (std::size_t at = from; at <= to; ++at) {
    if (at < to && written(at, cells ? cells->find(at) : nullptr)) continue;
    if (begin < at) found.emplace_back(begin, at);
    begin = at + 1;
  }
  return found;
}

bool allocation::written(std::size_t offset, const cell* mine) const {
  if (all_written || (mine && mine->written)) return true;
  const auto after = std::ranges::upper_bound(copied, offset, {}, [](const auto& stretch) { return stretch.first; });
  return after != copied.begin() && offset < std::prev(after)->second;
}

device_use allocation::used() const {
  if (!cells) return use;
  device_use found;
  const auto add = [](device_use::stretches& to, std::size_t begin, std::size_t end) {
    if (!to.empty() && to.back().second == begin)
      to.back().second = end;
    else
      to.emplace_back(begin, end);
  };
  cells->each(0, bytes, [&](const cell& c, std::size_t begin, std::size_t end) {
    if (c.device_read) add(found.read, begin, end);
    if (c.device_wrote) add(found.written, begin, end);
  });
  return found;
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

// A process may have some 65,000 pieces of memory with different rights (vm.max_map_count), and each block makes two.
// Once there are too many, all that has been handed out and the next GiB are opened as one.
bool device_arena::open_next(std::size_t bytes) {
  constexpr std::size_t ahead = std::size_t{1} << 30;
  if (used_ + bytes <= opened_) return true;
  if (opened_ == 0 && mprotect(reinterpret_cast<void*>(base_ + used_), bytes, PROT_READ | PROT_WRITE) == 0) return true;
  const std::size_t all = std::min(used_ + bytes + ahead, reserved);
  if (mprotect(reinterpret_cast<void*>(base_ + room_below), all - room_below, PROT_READ | PROT_WRITE) != 0)
    return false;
  opened_ = all;
  return true;
}

void* device_arena::allocate(std::size_t bytes) {
  const std::size_t pages = (bytes + page - 1) / page * page;
  if (!reserve() || used_ + pages + page > reserved) return nullptr;
  auto* memory = reinterpret_cast<void*>(base_ + used_);
  if (!open_next(pages)) return nullptr;
  used_ += pages + page;
  return memory;
}

// Still readable: a kernel that goes on after a finding reads zeros.
void device_arena::deallocate(void* memory, std::size_t bytes) {
  madvise(memory, bytes, MADV_DONTNEED);
  if (allocation* gone = find(reinterpret_cast<std::uintptr_t>(memory)); gone && gone->cells) {
    if (keeps_use) gone->use = gone->used();
    gone->cells.reset();
  }
}

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
