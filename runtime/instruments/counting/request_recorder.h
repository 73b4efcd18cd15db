#pragma once
// request_recorder: puts the accesses of single threads together to the requests of their warps, and counts those.
//
// The lanes of a warp run one after the other here. What the lanes do together on a GPU is taken to be this: the k-th
// access of each lane at one line, since the warp last met at a barrier.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "runtime/core/config.h"
#include "runtime/instruments/counting/sector_footprint.h"
#include "runtime/instruments/places/site_table.h"
#include "runtime/instruments/results/counters.h"
#include "runtime/instruments/results/inspection.h"
#include "runtime/observe/observe.h"

#if GRIDSTRIDE_CHECKED

namespace gs::inline GS_FLAVOUR::instruments {

class request_recorder {
 public:
  /// Keeps at most `most_requests` of a warp between two barriers; accesses beyond them are `uncounted`.
  explicit request_recorder(std::size_t most_requests = std::size_t{1} << 20) : most_requests_(most_requests) {}

  /// The array that an access goes to: what pictures show of it.
  struct target {
    std::uintptr_t begin = 0;  ///< 0 in shared memory: its addresses are counted from the block's start
    std::size_t bytes = 0;
    site made = unknown_site;
    std::size_t element_bytes = 0;
    std::size_t rank = 0;
    const std::size_t* extents = nullptr;
  };

  void begin_launch(const launch_description& launch);
  void enter_block(std::size_t number);
  void enter_thread(unsigned number) {
    if (number / 32 != warp_) {
      finish_requests();
      warp_ = number / 32;
      alone_ = number % 32 == 0 && number + 1 == threads_;
    }
    lane_ = number % 32;
  }
  void record(site where, access_kind kind, memory_space space, std::uintptr_t address, std::size_t bytes,
              const target& array) {
    ++kernels_[kernel_].accesses;
    // What no single instruction moves is several accesses.
    if (const std::size_t piece = std::size_t{1} << std::countr_zero(address | bytes | 16); piece < bytes) {
      for (std::size_t done = 0; done < bytes; done += piece)
        record_piece(where, kind, space, address + done, piece, array);
    } else {
      record_piece(where, kind, space, address, bytes, array);
    }
  }
  /// The same access, as one of device memory.
  void record_memory(std::uintptr_t address, std::size_t bytes, bool reads, bool writes) {
    footprint_.touch(address, bytes, reads, writes, kernels_[kernel_]);
  }
  /// What has been recorded of the warp that runs is complete.
  void finish_requests();
  void count_barrier() { ++kernels_[kernel_].barriers; }
  std::uint64_t accesses() const;

  /// Moves everything into `result`.
  void report(inspection& result, const site_table& sites);

 private:
  void record_piece(site where, access_kind kind, memory_space space, std::uintptr_t address, std::size_t bytes,
                    const target& array) {
    const std::size_t number =
        (where * std::size_t{3} + static_cast<std::size_t>(kind)) * 2 + (space == memory_space::shared);
    if (number >= lines_.size()) lines_.resize(number + 64);
    line_requests& line = lines_[number];
    if (!line.begun) begin_line(number, space, array);
    if (alone_) return count_lane(line, bytes, address);
    const std::uint32_t k = line.next[lane_]++;
    if (k >= line.used && !one_more(line)) return;
    request& r = line.requests[k];
    r.lanes |= std::uint32_t{1} << lane_;
    r.bytes = static_cast<std::uint32_t>(bytes);
    r.address[lane_] = address;
  }

  struct request {
    std::uint32_t lanes = 0;
    std::uint32_t bytes = 0;
    std::array<std::uint64_t, 32> address;
  };
  struct line_requests {
    std::array<std::uint32_t, 32> next{};
    std::vector<request> requests;
    std::size_t used = 0;
    std::uint64_t uncounted = 0;
    bool begun = false;
    target array;  // that the first access went to, and its extents
    std::array<std::size_t, 4> extents{};
    std::size_t counters = 0;  // in counted_, for the kernel of number:
    std::size_t name = ~std::size_t{0};
  };
  struct counted_line {
    site where, made;
    line_counters total;
    // Atomic operations by address. In shared memory: of the blocks that run, by block and address.
    std::unordered_map<std::uint64_t, std::uint64_t> atomics;
    std::unordered_set<std::uint64_t> shared_addresses;  // that blocks which are done have used
    warp_picture picture;
    std::size_t lanes_in_picture = 0;
  };

  void begin_line(std::size_t number, memory_space space, const target& array);
  bool one_more(line_requests& line);
  void count_lane(line_requests& line, std::size_t bytes, std::uint64_t address);
  void count(const line_requests& line, const request& r);
  // The shared memory of the blocks so far is gone.
  void leave_blocks();
  void add_to_picture(const line_requests& line, counted_line& counted, const request& r);

  std::vector<line_requests> lines_;  // by site, kind and space
  std::vector<std::size_t> active_;   // those with requests
  std::size_t waiting_requests_ = 0;
  sector_footprint footprint_;  // of the launch
  std::vector<kernel_counters> kernels_{1};
  std::map<std::tuple<std::string, std::array<unsigned, 6>, std::size_t, std::size_t>, std::size_t> kernel_numbers_;
  std::vector<counted_line> counted_;
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> counted_numbers_;
  std::vector<std::size_t> shared_atomics_;  // in counted_
  std::size_t kernel_ = 0, name_ = 0;
  std::map<std::string, std::size_t> names_;
  std::size_t most_requests_;
  unsigned threads_ = 0;  // of a block
  unsigned warp_ = 0, lane_ = 0;
  bool alone_ = false;  // the warp has one lane, whose accesses are requests by themselves
  index3 block_;
  std::uint64_t block_number_ = 0;
  bool blocks_alternate_ = false;  // of a cooperative launch
};

}  // namespace gs::inline GS_FLAVOUR::instruments

#endif
