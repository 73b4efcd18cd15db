#pragma once
// sector_footprint: the distinct sectors of device memory that a launch reads and writes.
//
// However often it touches one, and whatever the caches hold of it meanwhile: if L2 doesn't have it at the beginning,
// it is read from memory once, unless the launch has written it before; and it is written back once.

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "runtime/core/config.h"
#include "runtime/instruments/device_model/memory_model.h"
#include "runtime/instruments/results/counters.h"

namespace gs::inline GS_FLAVOUR::instruments {

class sector_footprint {
 public:
  void begin_launch() { ++launch_; }
  /// Adds what an access touches to `counted`: sectors_read and sectors_written. Accesses come in the order of the run.
  void touch(std::uint64_t address, std::size_t bytes, bool reads, bool writes, kernel_counters& counted) {
    for (std::uint64_t sector = address / sector_bytes; sector <= (address + bytes - 1) / sector_bytes; ++sector) {
      page& in = page_of(sector / sectors_per_page);
      std::uint64_t& read = in.read[sector / 64 % words];
      std::uint64_t& written = in.written[sector / 64 % words];
      const std::uint64_t bit = std::uint64_t{1} << sector % 64;
      if (reads && ((read | written) & bit) == 0) {
        read |= bit;
        ++counted.sectors_read;
      }
      if (writes && (written & bit) == 0) {
        written |= bit;
        ++counted.sectors_written;
      }
    }
  }

 private:
  static constexpr std::size_t words = 64, sectors_per_page = 64 * words;
  struct page {
    std::uint64_t launch = 0;  // that the bits are of
    std::array<std::uint64_t, words> read{}, written{};
  };

  page& page_of(std::uint64_t number) {
    if (last_ == nullptr || number != last_number_) {
      last_ = &pages_[number];  // a page stays where it is
      last_number_ = number;
    }
    if (last_->launch != launch_) *last_ = {.launch = launch_};
    return *last_;
  }

  std::unordered_map<std::uint64_t, page> pages_;
  page* last_ = nullptr;
  std::uint64_t last_number_ = 0, launch_ = 0;
};

}  // namespace gs::inline GS_FLAVOUR::instruments
