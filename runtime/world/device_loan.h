#pragma once
// device_loan: a device array's memory, lent to the message library for a call.

#include <cstddef>
#include <cstdint>
#include <memory>

#include "runtime/array/device_memory.h"
#include "runtime/core/config.h"
#include "runtime/world/rank_group.h"
#include "runtime/world/transport.h"

namespace gs::inline GS_FLAVOUR::detail {

/// What the library does with the memory.
enum class loan_use : std::uint8_t { send, receive, both };

/// What the runtime's other parts call the place.
inline access_place access_place_of([[maybe_unused]] const rank_place& place) {
#if GRIDSTRIDE_CHECKED
  return place;
#else
  return {};
#endif
}

/// Waits for what is queued on the device, then lends its memory: as it is where the library can reach it (the
/// engine's, or a GPU's under an MPI that takes device pointers), else through pinned memory of the host, by copies
/// that the ledger counts.
class device_loan {
 public:
  device_loan() = default;
  /// Puts the address that the library is to use into `x.data`.
  device_loan(const transport& library, const device_memory& memory, operand& x, loan_use use, const rank_place& place);
  ~device_loan();
  device_loan(device_loan&& other) noexcept { *this = std::move(other); }
  device_loan& operator=(device_loan&& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(array_, other.array_);
    std::swap(pinned_, other.pinned_);
    std::swap(bytes_, other.bytes_);
    std::swap(use_, other.use_);
    std::swap(place_, other.place_);
    return *this;
  }
  device_loan(const device_loan&) = delete;
  device_loan& operator=(const device_loan&) = delete;

  /// What has come is in the array afterwards. Does nothing for memory that was only sent.
  void give_back();

 private:
  const device_memory* memory_ = nullptr;
  void* array_ = nullptr;
  void* pinned_ = nullptr;  // null: the array's own memory was lent
  std::size_t bytes_ = 0;
  loan_use use_ = loan_use::send;
  rank_place place_;
};

}  // namespace gs::inline GS_FLAVOUR::detail
