#pragma once
// undo_journal: memory as it was before a launch, as far as the launch writes to it, so that it can run once more.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <unordered_set>
#include <vector>

#include "runtime/core/config.h"
#include "runtime/observe/observe.h"

namespace gs::inline GS_FLAVOUR::instruments {

class undo_journal {
 public:
  static constexpr std::size_t page = 4096;

  /// Begins with nothing saved, and saves `most_bytes` at most.
  void begin(std::size_t most_bytes) {
    saved_.clear();
    known_.clear();
    last_page_ = 0;
    left_ = most_bytes;
    complete_ = true;
  }
  /// Before a write to an array: saves the pages that hold it. False if memory is too short.
  bool save_pages(std::uintptr_t address, std::size_t bytes) {
    bool all = true;
    for (std::uintptr_t at = address / page * page; at < address + bytes; at += page) {
      if (at != last_page_) all &= save(at, page);
      last_page_ = at;
    }
    return all;
  }
  /// Before a write to other memory: saves these bytes and not their neighbours, which others may change meanwhile.
  bool save_bytes(std::uintptr_t address, std::size_t bytes) {
    constexpr std::size_t most = 16;
    bool all = true;
    for (std::size_t done = 0; done < bytes; done += most) all &= save(address + done, std::min(most, bytes - done));
    return all;
  }
  /// Whether all that was to be saved has been.
  bool complete() const { return complete_; }

  /// The first run has ended: what it has left is what the program is to see.
  void keep_result() {
    const trap_pause open;
    try {
      for (stretch& s : saved_) s.after = copy_of(s.address, s.bytes);
    } catch (const std::bad_alloc&) {
      complete_ = false;
    }
  }
  /// All is as before the launch.
  void undo() {
    const trap_pause open;
    for (auto s = saved_.rbegin(); s != saved_.rend(); ++s) put(s->address, s->before.get(), s->bytes);
  }
  /// All is as after the first run.
  void restore_result() {
    const trap_pause open;
    undo();
    for (const stretch& s : saved_)
      if (s.after) put(s.address, s.after.get(), s.bytes);
  }

 private:
  bool save(std::uintptr_t address, std::size_t bytes) {
    if (!known_.insert(address * 32 + bytes % 32).second) return true;
    complete_ = complete_ && left_ >= 2 * bytes;
    if (!complete_) return false;
    try {
      saved_.push_back({address, bytes, copy_of(address, bytes), {}});
      left_ -= 2 * bytes;
    } catch (const std::bad_alloc&) {
      complete_ = false;
    }
    return complete_;
  }

  using bytes_copy = std::unique_ptr<std::byte[]>;
  struct stretch {
    std::uintptr_t address;
    std::size_t bytes;
    bytes_copy before, after;
  };
  static bytes_copy copy_of(std::uintptr_t address, std::size_t bytes) {
    const trap_pause open;
    bytes_copy copy(new std::byte[bytes]);
    std::memcpy(copy.get(), reinterpret_cast<const void*>(address), bytes);
    return copy;
  }
  static void put(std::uintptr_t address, const std::byte* from, std::size_t bytes) {
    std::memcpy(reinterpret_cast<void*>(address), from, bytes);
  }

  std::vector<stretch> saved_;  // in the order in which they were
  std::unordered_set<std::uintptr_t> known_;
  std::uintptr_t last_page_ = 0;
  std::size_t left_ = 0;
  bool complete_ = true;
};

}  // namespace gs::inline GS_FLAVOUR::instruments
