#pragma once
// split_marks: the parts of the loop over a block's threads, marked for the compiler's plugin, which replaces these
// calls by code: see runtime/engine/split_loop.h and compiler/split_at_barriers.cpp.

#include <cstddef>

extern "C" {
/// Whether the loops' body has been split.
bool gridstride_split_works() noexcept;
/// How many rows, and columns, of a block's threads the loops take at once.
unsigned gridstride_split_rows(unsigned block_rows) noexcept;
unsigned gridstride_split_columns(unsigned block_columns, unsigned block_rows) noexcept;
/// How much memory the threads need for what they keep across barriers.
std::size_t gridstride_split_bytes(unsigned threads) noexcept;
/// Before the loops over the threads. `barrier` is the number that resume gets for all of them, or another number;
/// `memory` has the bytes for that many threads; `places` receives the place of each barrier, up to `max_places` of
/// them, as the bits of a source_location.
void gridstride_split_sweep(unsigned barrier, std::byte* memory, unsigned threads, const void** places,
                            unsigned max_places) noexcept;
/// The kernel begins after this call, or continues after its barrier of that number, counted from 1. The thread has
/// that number, and that place in its block.
void gridstride_split_resume(unsigned barrier, std::size_t thread, unsigned x, unsigned y) noexcept;
/// A barrier: this part of the kernel ends here, and the next one resumes after it. Only split code calls it.
void gridstride_split_wait(const void* place) noexcept;
/// Something that can't be split: a warp operation, a barrier of the grid, a vote.
[[noreturn]] void gridstride_split_refuse() noexcept;
/// The kernel ends before this call. The number of the barrier that the thread waits at, or 0 if it has ended.
unsigned gridstride_split_left() noexcept;
}
