#pragma once
// thread_marks: how code of a kernel learns which thread runs it.
//
// CUDA's threadIdx and its kin are names that any function may use. Here each is a call of a mark. Where the kernel and
// what it calls are inlined into the engine's loop over the threads, the plugin replaces the marks by the loop's own
// numbers (compiler/cuda_marks.cpp), so that g++ sees a plain loop. Elsewhere they are ordinary calls: a thread notes
// at its beginning who it is, on the stack it runs on, and a function that wasn't inlined reads it there.

#include <cstddef>

extern "C" {
/// A thread of a kernel begins. `loop` is its gs::detail::thread_loop, `shared` the block's shared memory for
/// variables, `dynamic` the one that the launch asked for, `layout` the kernel's dialect::shared_layout.
void gridstride_cuda_begin(void* loop, void* shared, void* dynamic, void* layout, unsigned thread_x, unsigned thread_y,
                           unsigned thread_z, unsigned block_x, unsigned block_y, unsigned block_z,
                           unsigned block_dim_x, unsigned block_dim_y, unsigned block_dim_z, unsigned grid_dim_x,
                           unsigned grid_dim_y, unsigned grid_dim_z) noexcept;
/// The first four of these, by their number from 0; null outside of kernels.
[[gnu::pure]] void* gridstride_cuda_pointer(unsigned number) noexcept;
/// The others, by their number from 0; 0 outside of kernels.
[[gnu::pure]] unsigned gridstride_cuda_index(unsigned number) noexcept;
/// Where in the block's shared memory the variable is that belongs to `site`. The same for the same arguments.
[[gnu::const]] std::size_t gridstride_cuda_shared_offset(const void* site, void* layout, std::size_t bytes,
                                                         std::size_t alignment) noexcept;
}
