#pragma once
// split_marks: the places of a kernel in the loop over the threads of its block, for the compiler's plugin, which puts
// code in the place of these calls: see runtime/engine/split_loop.h and compiler/split_at_barriers.cpp.

#include <cstddef>

extern "C" {
/// Whether the loops' body has been split.
bool gridstride_split_works() noexcept;
/// How much memory the threads need for what they keep across barriers.
std::size_t gridstride_split_bytes(unsigned threads) noexcept;
/// Before the loops over the threads. `barrier` is the number that resume is given for all of them, or another;
/// `memory` has the bytes for that many threads; `places` will say for each barrier, `most` of them at most, where it
/// is, as bits of a source_location.
void gridstride_split_sweep(unsigned barrier, std::byte* memory, unsigned threads, const void** places,
                            unsigned most) noexcept;
/// The kernel begins after this call; or goes on behind its barrier of that number, counted from 1.
void gridstride_split_resume(unsigned barrier, std::size_t thread) noexcept;
/// A barrier: the kernel ends here for now. Only what has been split comes to it.
void gridstride_split_wait(const void* where) noexcept;
/// What can't be split: warps, the grid, votes.
[[noreturn]] void gridstride_split_refuse() noexcept;
/// The kernel ends before this call. The number of the barrier that the thread waits at, or 0 if it has ended.
unsigned gridstride_split_left() noexcept;
}
