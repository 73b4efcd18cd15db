#pragma once
// split_loop: the threads of a block as one loop from each barrier to the next.
//
// What comes between two barriers is an ordinary loop over the threads if somebody cuts the kernel there: the compiler,
// since a library can't. These functions mark the place of the kernel in such a loop for
// compiler/split_at_barriers.cpp, which puts code in the place of the calls. Where it isn't in use, or can't split the
// kernel, split_works() is false, and the threads that wait are fibers: see block_scheduler.h.
//
// In a kernel without barriers, the compiler may let tiles of the threads go through a loop together instead: then these
// loops go from tile to tile, and what is inside of them is a loop over the threads of one (compiler/thread_tiles.h).
//
// The same is done to work groups by compilers of OpenCL: P. Jääskeläinen et al., "pocl: A Performance-Portable OpenCL
// Implementation", Int. J. Parallel Prog. 43, 2015; here each barrier is a place that the loop's body goes on at, as in
// J. Meyer et al., "Implementation Techniques for SPMD Kernels on CPUs", IWOCL 2023.

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "runtime/core/config.h"
#include "runtime/core/index3.h"
#include "runtime/threads/split_marks.h"

namespace gs::inline GS_FLAVOUR::detail {

constexpr unsigned most_split_barriers = 31;

/// Throws gs::error if threads wait at different places. Each has the number of its barrier, or 0 if it has ended.
void check_that_threads_meet(std::string_view kernel, std::span<const unsigned> barriers,
                             std::span<const void* const> places);

/// Runs the blocks from number `first` to before `last` of a grid, the threads of each from barrier to barrier:
/// `run_thread(block_index, thread_index)` is the kernel, whose barriers call gridstride_split_wait.
/// `memory(bytes)` gives what the threads of a block need, at a multiple of 64; `running` is set to each block's
/// number. False if the kernel isn't split, and its threads don't go through a loop together.
///
/// By value, so that no store of the kernel can change what `run_thread` has captured.
template <class Thread, class Memory>
[[gnu::noinline, gnu::noclone, gnu::flatten]] bool run_split(std::string_view kernel, const index3 grid,
                                                             const index3 block, std::size_t first, std::size_t last,
                                                             Thread run_thread, const Memory memory,
                                                             volatile std::size_t& running) {
  const unsigned width = block.x;
  if (width > most_threads_per_block) __builtin_unreachable();  // so that a kernel's x + 1 doesn't wrap around
  if (!gridstride_split_works()) return false;
  const unsigned rows_at_once = gridstride_split_rows(block.y);
  const unsigned columns_at_once = gridstride_split_columns(width, block.y);
  const auto threads = static_cast<unsigned>(block.size());
  const std::size_t kept_bytes = (gridstride_split_bytes(threads) + 63) / 64 * 64;
  std::byte* const kept = memory(kept_bytes + threads * sizeof(unsigned));
  auto* const barriers = reinterpret_cast<unsigned*>(kept + kept_bytes);
  std::array<const void*, most_split_barriers> places;
  constexpr unsigned apart = ~0u;
  index3 block_idx = position_in(grid, first);
  for (std::size_t number = first; number < last; ++number, block_idx = next_in(grid, block_idx)) {
    running = number;
    unsigned all_at = 0;  // the barrier that they go on behind
    for (;;) {
      unsigned least = apart, most = 0;  // of the barriers that threads have come to
      std::size_t thread = 0;
      gridstride_split_sweep(all_at, kept, threads, places.data(), places.size());
      for (unsigned z = 0; z < block.z; ++z)
        for (unsigned y = 0; y < block.y; y += rows_at_once) {
          GS_INDEPENDENT_TURNS
          for (unsigned x = 0; x < width; x += columns_at_once, ++thread) {
            const unsigned barrier = all_at == apart ? barriers[thread] : all_at;
            if (all_at == apart && barrier == 0) continue;
            gridstride_split_resume(barrier, thread, x, y);
            run_thread(block_idx, index3{x, y, z});
            const unsigned left = gridstride_split_left();
            barriers[thread] = left;
            least = left < least ? left : least;
            most = left > most ? left : most;
          }
        }
      if (most == 0) break;
      all_at = least == most && all_at != apart ? most : apart;
      if (all_at == apart) check_that_threads_meet(kernel, {barriers, threads}, places);
    }
  }
  return true;
}

}  // namespace gs::inline GS_FLAVOUR::detail
