#include "runtime/threads/shared_window.h"

#include <sys/mman.h>

#include <mutex>
#include <vector>

#include "runtime/core/error.h"

namespace gs::inline GS_FLAVOUR::detail {
namespace {

constexpr std::size_t slots = shared_window_bytes / shared_slot::stride;

// Reserves addresses only; pages are made accessible slot by slot.
std::uintptr_t reserve_window() {
  void* window = mmap(nullptr, shared_window_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return window == MAP_FAILED ? 0 : reinterpret_cast<std::uintptr_t>(window);
}

struct slot_list {
  std::mutex mutex;
  std::vector<std::byte*> free;
  std::size_t used = 0;
};
slot_list& all_slots() {
  static auto* list = new slot_list;  // never destroyed: threads end while the program does
  return *list;
}

}  // namespace

const std::uintptr_t shared_window_start = reserve_window();

void shared_slot::take() {
  slot_list& list = all_slots();
  std::lock_guard lock(list.mutex);
  if (!list.free.empty()) {
    data_ = list.free.back();
    list.free.pop_back();
    return;
  }
  auto* slot = reinterpret_cast<std::byte*>(shared_window_start + list.used * shared_slot::stride);
  if (shared_window_start == 0 || list.used == slots || mprotect(slot, bytes, PROT_READ | PROT_WRITE) != 0)
    throw machine_error("shared memory for a block", "the system gives no more memory",
                        "launch fewer blocks at once, or lift the limit on this process's addresses (ulimit -v)");
  ++list.used;
  data_ = slot;
}

shared_slot::~shared_slot() {
  if (!data_) return;
  slot_list& list = all_slots();
  std::lock_guard lock(list.mutex);
  list.free.push_back(data_);
}

}  // namespace gs::inline GS_FLAVOUR::detail
