#include "runtime/engine/closed_memory.h"

#include <sys/mman.h>

#include <cstdint>
#include <mutex>

namespace gs::inline GS_FLAVOUR::closed_memory {

std::atomic<bool> begun{false};

namespace {

constexpr std::size_t reserved = std::size_t{16} << 30, page = 4096;

struct arena {
  std::mutex mutex;
  std::atomic<std::uintptr_t> base{0};
  std::size_t used = 0;
  unsigned passages = 0;

  void allow(std::size_t begin, std::size_t end, int rights) const {
    if (end > begin) mprotect(reinterpret_cast<void*>(base + begin), end - begin, rights);
  }
};

arena& the_arena() {
  static auto* const one = new arena;  // never destroyed: work may still be queued while the program ends
  return *one;
}

}  // namespace

void begin() {
  arena& a = the_arena();
  const std::lock_guard lock(a.mutex);
  if (a.base != 0) return;
  void* base = mmap(nullptr, reserved, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED) return;
  a.base = reinterpret_cast<std::uintptr_t>(base);
  begun = true;
}

bool contains(const void* address) {
  if (!on()) return false;
  return reinterpret_cast<std::uintptr_t>(address) - the_arena().base < reserved;
}

// No address is handed out twice: what is freed is given back to the system, and stays closed.
void* allocate(std::size_t bytes) {
  arena& a = the_arena();
  const std::lock_guard lock(a.mutex);
  const std::size_t whole = (bytes + page - 1) / page * page;
  if (a.used + whole > reserved) return nullptr;
  const std::size_t begin = a.used;
  a.used += whole;
  if (a.passages > 0) a.allow(begin, a.used, PROT_READ | PROT_WRITE);
  return reinterpret_cast<void*>(a.base + begin);
}

void deallocate(void* memory, std::size_t bytes) { madvise(memory, (bytes + page - 1) / page * page, MADV_DONTNEED); }

void passage::open() {
  arena& a = the_arena();
  const std::lock_guard lock(a.mutex);
  if (a.passages++ == 0) a.allow(0, a.used, PROT_READ | PROT_WRITE);
}

void passage::close() {
  arena& a = the_arena();
  const std::lock_guard lock(a.mutex);
  if (--a.passages == 0) a.allow(0, a.used, PROT_NONE);
}

}  // namespace gs::inline GS_FLAVOUR::closed_memory
