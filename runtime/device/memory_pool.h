#pragma once
// memory_pool: device memory that is kept for reuse, and that outlives what was queued on it.

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "runtime/core/config.h"
#include "runtime/device/backend.h"

namespace gs::inline GS_FLAVOUR::detail {

/// Hands out memory of one device, of one kind. Fresh pages cost far more than the work done on them (first touch), so
/// freed blocks are kept, up to a quarter of the device's memory. A freed block is handed out again only after every
/// queue has passed the point it had reached at the time of the free: freeing never waits, and never pulls memory from
/// under a queued launch.
class memory_pool {
 public:
  /// Not in the checked flavour: there an address belongs to one array for ever, so that its use after the free is
  /// noticed.
#if GRIDSTRIDE_CHECKED
  static constexpr bool keeps_by_default = false;
#else
  static constexpr bool keeps_by_default = true;
#endif

  explicit memory_pool(backend& device, bool keeps = keeps_by_default, memory_kind kind = memory_kind::device)
      : device_(device), keeps_(keeps), kind_(kind) {}

  /// Throws gs::machine_error if there is no room.
  void* allocate(std::size_t bytes);
  /// Takes over memory that another process allocated and the device has opened: it is handed out as of now.
  void adopt(void* memory, std::size_t bytes);
  /// Gives back what `allocate` returned or `adopt` took; it is reused once all of `pending` are done.
  void release(void* memory, std::vector<std::shared_ptr<fence>> pending);
  /// Frees everything, handed out or not. Nothing queued may still use it.
  void free_all();
  /// The block that `memory` points into, if this pool has handed it out; else empty.
  std::span<const std::byte> block_of(const void* memory) const;
  bool owns(const void* memory) const { return !block_of(memory).empty(); }
  /// Bytes handed out at this moment.
  std::size_t bytes_in_use() const;

 private:
  struct retired {
    void* memory;
    std::size_t block;
    std::vector<std::shared_ptr<fence>> pending;
  };

  static std::size_t block_size(std::size_t bytes);
  std::size_t capacity() const;
  void* allocate_block(std::size_t block);
  void deallocate_block(void* memory, std::size_t block);
  void collect_retired();
  void keep(void* memory, std::size_t block);
  void drop_all_kept();

  backend& device_;
  bool keeps_;  // freed blocks
  memory_kind kind_;
  mutable std::mutex mutex_;
  std::multimap<std::size_t, void*> kept_;   // free blocks by size
  std::map<const char*, std::size_t> live_;  // blocks handed out, by address
  std::vector<retired> retired_;
  std::size_t kept_bytes_ = 0;
  std::size_t live_bytes_ = 0;
  std::size_t retired_bytes_ = 0;  // no longer in use, but something queued may still work on it
};

}  // namespace gs::inline GS_FLAVOUR::detail
