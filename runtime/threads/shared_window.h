#pragma once
// The shared memory of all blocks that run on the engine, in one window of addresses. The threads of a block run on one
// core, so an atomic operation on an address in the window needs no lock: see runtime/kernel/atomic_ref.h.

#include <cstddef>
#include <cstdint>

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR::detail {

inline constexpr std::size_t shared_window_bytes = std::size_t{1} << 31;
extern const std::uintptr_t shared_window_start;

/// Whether `address` is shared memory of a block.
inline bool in_shared_memory(const void* address) {
  return reinterpret_cast<std::uintptr_t>(address) - shared_window_start < shared_window_bytes;
}

/// One block's shared memory: 48 KiB, as much as every CUDA device offers.
class shared_slot {
 public:
  static constexpr std::size_t bytes = std::size_t{48} << 10;
  static constexpr std::size_t stride = std::size_t{64} << 10;  ///< from one block's to the next's

  shared_slot() = default;
  ~shared_slot();
  shared_slot(const shared_slot&) = delete;
  shared_slot& operator=(const shared_slot&) = delete;

  /// Takes a slot at first use. Throws gs::machine_error if the system gives no memory.
  std::byte* data() {
    if (!data_) take();
    return data_;
  }

  const std::byte* data_so_far() const { return data_; }  ///< null before the first use

 private:
  void take();
  std::byte* data_ = nullptr;
};

}  // namespace gs::inline GS_FLAVOUR::detail
