#include "dialect/language/thread_marks.h"

#include <array>
#include <cstring>

#include "runtime/engine/block_scheduler.h"

namespace {

struct thread_note {
  std::array<void*, 4> pointers;
  std::array<unsigned, 12> indices;
};

// At the far end of the stack that the thread runs on: the one place that stays the thread's own while it waits, and
// while it goes on in another thread of the system. Null outside of kernels.
thread_note* on_this_stack() {
  const auto* const scheduler = gs::detail::block_scheduler::running_here();
  const gs::detail::guarded_stack* const stack = scheduler ? scheduler->stack_in_use() : nullptr;
  return stack ? reinterpret_cast<thread_note*>(stack->bottom()) : nullptr;
}

}  // namespace

extern "C" {

void gridstride_cuda_begin(void* loop, void* shared, void* dynamic, void* layout, unsigned thread_x, unsigned thread_y,
                           unsigned thread_z, unsigned block_x, unsigned block_y, unsigned block_z,
                           unsigned block_dim_x, unsigned block_dim_y, unsigned block_dim_z, unsigned grid_dim_x,
                           unsigned grid_dim_y, unsigned grid_dim_z) noexcept {
  if (thread_note* const here = on_this_stack())
    *here = {{loop, shared, dynamic, layout},
             {thread_x, thread_y, thread_z, block_x, block_y, block_z, block_dim_x, block_dim_y, block_dim_z,
              grid_dim_x, grid_dim_y, grid_dim_z}};
}

void* gridstride_cuda_pointer(unsigned number) noexcept {
  const thread_note* const here = on_this_stack();
  return here ? here->pointers[number] : nullptr;
}

unsigned gridstride_cuda_index(unsigned number) noexcept {
  const thread_note* const here = on_this_stack();
  return here ? here->indices[number] : 0;
}
}
