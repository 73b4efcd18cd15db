#include "runtime/device/memory_pool.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "runtime/core/error.h"
#include "runtime/host/machine.h"

namespace gs::inline GS_FLAVOUR::detail {

std::size_t memory_pool::block_size(std::size_t bytes) {
  constexpr std::size_t smallest = 256, huge_page = std::size_t{2} << 20;
  if (bytes <= smallest) return smallest;
  if (bytes < huge_page) return std::bit_ceil(bytes);
  return (bytes + huge_page - 1) / huge_page * huge_page;
}

std::size_t memory_pool::capacity() const {
  if (kind_ != memory_kind::pinned) return device_.info().memory;
  static const std::size_t of_host = usable_memory();
  return of_host;
}

void* memory_pool::allocate_block(std::size_t block) {
  switch (kind_) {
    case memory_kind::device:
      return device_.allocate(block);
    case memory_kind::pinned:
      return device_.allocate_pinned(block);
    case memory_kind::managed:
      return device_.allocate_managed(block);
    case memory_kind::interprocess:
      return device_.allocate_interprocess(block);
  }
  return nullptr;
}

void memory_pool::deallocate_block(void* memory, std::size_t block) {
  switch (kind_) {
    case memory_kind::device:
      return device_.deallocate(memory, block);
    case memory_kind::pinned:
      return device_.deallocate_pinned(memory, block);
    case memory_kind::managed:
      return device_.deallocate_managed(memory, block);
    case memory_kind::interprocess:
      return device_.deallocate_interprocess(memory, block);
  }
}

void* memory_pool::allocate(std::size_t bytes) {
  std::lock_guard lock(mutex_);
  const auto refuse = [&] {
    const std::string_view place = kind_ == memory_kind::pinned         ? "pinned memory for device"
                                   : kind_ == memory_kind::managed      ? "managed memory on device"
                                   : kind_ == memory_kind::interprocess ? "memory for several processes on device"
                                                                        : "memory on device";
    throw machine_error(
        fmt::format("{:.1f} MB of {} {}", static_cast<double>(bytes) / 1e6, place, device_.info().name),
        fmt::format("{} has {:.1f} MB, of which {:.1f} MB are in use", kind_ == memory_kind::pinned ? "the host" : "it",
                    static_cast<double>(capacity()) / 1e6, static_cast<double>(live_bytes_) / 1e6),
        "use a smaller size or free arrays first");
  };
  if (bytes > capacity()) refuse();
  const std::size_t block = block_size(bytes);
  collect_retired();

  void* memory = nullptr;
  // A kept block may be up to a quarter larger than what is needed.
  if (auto found = kept_.lower_bound(block); found != kept_.end() && found->first <= block + block / 4) {
    memory = found->second;
    kept_bytes_ -= found->first;
    live_.emplace(static_cast<const char*>(memory), found->first);
    live_bytes_ += found->first;
    kept_.erase(found);
    return memory;
  }
  const auto has_room = [&] { return live_bytes_ + kept_bytes_ + retired_bytes_ + block <= capacity(); };
  if (has_room()) memory = allocate_block(block);
  if (!memory) {
    drop_all_kept();
    for (retired& r : retired_)  // memory that only waits for queued work is better than none
      for (auto& point : r.pending) point->wait();
    collect_retired();
    drop_all_kept();
    if (has_room()) memory = allocate_block(block);
  }
  if (!memory) refuse();
  live_.emplace(static_cast<const char*>(memory), block);
  live_bytes_ += block;
  return memory;
}

void memory_pool::adopt(void* memory, std::size_t bytes) {
  std::lock_guard lock(mutex_);
  live_.emplace(static_cast<const char*>(memory), bytes);
  live_bytes_ += bytes;
}

void memory_pool::release(void* memory, std::vector<std::shared_ptr<fence>> pending) {
  std::lock_guard lock(mutex_);
  const auto found = live_.find(static_cast<const char*>(memory));
  const std::size_t block = found->second;
  live_.erase(found);
  live_bytes_ -= block;
  if (pending.empty()) {
    keep(memory, block);
  } else {
    retired_.push_back({memory, block, std::move(pending)});
    retired_bytes_ += block;
  }
}

void memory_pool::free_all() {
  std::lock_guard lock(mutex_);
  for (auto& [memory, block] : live_) deallocate_block(const_cast<char*>(memory), block);
  for (retired& r : retired_) deallocate_block(r.memory, r.block);
  live_.clear();
  retired_.clear();
  live_bytes_ = retired_bytes_ = 0;
  drop_all_kept();
}

std::span<const std::byte> memory_pool::block_of(const void* memory) const {
  std::lock_guard lock(mutex_);
  const auto* address = static_cast<const char*>(memory);
  auto after = live_.upper_bound(address);
  if (after == live_.begin()) return {};
  const auto& [start, size] = *std::prev(after);
  return address < start + size ? std::as_bytes(std::span(start, size)) : std::span<const std::byte>();
}

std::size_t memory_pool::bytes_in_use() const {
  std::lock_guard lock(mutex_);
  return live_bytes_;
}

void memory_pool::collect_retired() {
  std::erase_if(retired_, [&](retired& r) {
    if (!std::ranges::all_of(r.pending, [](auto& point) { return point->done(); })) return false;
    retired_bytes_ -= r.block;
    keep(r.memory, r.block);
    return true;
  });
}

void memory_pool::keep(void* memory, std::size_t block) {
  if (!keeps_ || kept_bytes_ + block > capacity() / 4) {
    deallocate_block(memory, block);
    return;
  }
  kept_.emplace(block, memory);
  kept_bytes_ += block;
}

void memory_pool::drop_all_kept() {
  for (auto& [block, memory] : kept_) deallocate_block(memory, block);
  kept_.clear();
  kept_bytes_ = 0;
}

}  // namespace gs::inline GS_FLAVOUR::detail
