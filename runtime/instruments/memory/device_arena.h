#pragma once
// device_arena: the addresses of the engine's device memory in the checked flavour. No address is used twice, so that
// an access to freed memory is known as such; and what an address belongs to is found in two steps.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <source_location>
#include <vector>

#include "runtime/core/config.h"
#include "runtime/instruments/memory/shadow.h"
#include "runtime/instruments/places/site_table.h"
#include "runtime/observe/value_bytes.h"

namespace gs::inline GS_FLAVOUR::instruments {

/// Stretches of memory that work of the device has read and written, [begin, end) in bytes, in order.
struct device_use {
  using stretches = std::vector<std::pair<std::size_t, std::size_t>>;
  stretches read, written;
};

/// A device array's memory.
struct allocation {
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;
  site made = unknown_site;
  bool managed = false;  ///< the host may use it, too
  bool pinned = false;   ///< and it is the host's own
  bool freed = false;
  std::uint64_t freed_at = 0;  ///< pieces of work that had been queued by then, see monitor::queued
  bool all_written = false;
  using stretches = std::vector<std::pair<std::size_t, std::size_t>>;  // [begin, end), in bytes
  stretches copied;                                                    ///< what copies have written
  std::unique_ptr<shadow> cells;
  device_use use;                    ///< of what was freed: its cells are gone
  element_layout element;            ///< as an index has told last
  std::uintptr_t first_element = 0;  ///< of these

  std::uintptr_t end() const { return begin + bytes; }
  /// Its cells, which are made for the first one who asks.
  shadow& cells_made() {
    if (!cells) cells = std::make_unique<shadow>(bytes);
    return *cells;
  }
  /// Notes that a copy has written these.
  void note_copies(const stretches& made);
  /// Whether something has written the byte. `mine` is its cell, or null.
  bool written(std::size_t offset, const cell* mine) const;
  /// What has been written of [from, to).
  stretches written_in(std::size_t from, std::size_t to) const;
  /// What kernels, ufuncs and libraries have read, and written since the last copy to the same bytes.
  device_use used() const;
};

class device_arena {
 public:
  static constexpr std::size_t reserved = std::size_t{1} << 40;  ///< addresses

  /// Null if the system gives no memory. Blocks begin at pages and are followed by one that belongs to nobody.
  void* allocate(std::size_t bytes);
  /// The memory goes back to the system, and its shadow; its addresses are kept. No work may use it any more.
  void deallocate(void* memory, std::size_t bytes);

  /// Lets an access go on that belongs to no array: the page of `address` becomes memory.
  void let_through(std::uintptr_t address);

  bool contains(std::uintptr_t address) const { return base_ != 0 && address - base_ < reserved; }
  std::uintptr_t base() const { return base_; }  ///< 0: nothing was ever allocated
  /// What the address belongs to, or null. `address` lies in the arena.
  allocation* find(std::uintptr_t address) {
    const std::uint32_t number = owner_[(address - base_) / page];
    return number == 0 ? nullptr : &allocations_[number - 1];
  }
  /// Says what a block handed out by allocate() is for.
  allocation& describe(void* memory, std::size_t bytes, const std::source_location& made, site_table& sites);
  std::deque<allocation>& allocations() { return allocations_; }
  bool keeps_use = false;  ///< whether what is freed is asked for its use

 private:
  static constexpr std::size_t page = 4096;
  bool reserve();
  bool open_next(std::size_t bytes);

  // What lies below the first array is the device's, too: a pointer that has run there doesn't lead to the host.
  static constexpr std::size_t room_below = std::size_t{1} << 30;

  std::uintptr_t base_ = 0;
  std::size_t used_ = room_below;
  std::size_t opened_ = 0;          // up to here without gaps; 0: block by block
  std::uint32_t* owner_ = nullptr;  // by page: 1 + the number of its allocation, 0 for none
  std::deque<allocation> allocations_;
};

}  // namespace gs::inline GS_FLAVOUR::instruments
