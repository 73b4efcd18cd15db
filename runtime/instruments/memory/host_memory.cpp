#include "runtime/instruments/memory/host_memory.h"

#if GRIDSTRIDE_CHECKED

#include <fcntl.h>
#include <link.h>
#include <unistd.h>

#include <cerrno>
#include <mutex>

#include "runtime/engine/block_scheduler.h"

namespace gs::inline GS_FLAVOUR::instruments {
namespace {

address_range range_of(const detail::guarded_stack& stack) {
  return {reinterpret_cast<std::uintptr_t>(stack.bottom()), reinterpret_cast<std::uintptr_t>(stack.top())};
}

struct segment_search {
  std::uintptr_t address;
  address_range found = {};
};

// Called for each module of the process, until it returns another value than 0.
int search_module(dl_phdr_info* module, std::size_t, void* search) {
  auto& wanted = *static_cast<segment_search*>(search);
  for (int i = 0; i < module->dlpi_phnum; ++i) {
    const auto& segment = module->dlpi_phdr[i];
    const std::uintptr_t begin = module->dlpi_addr + segment.p_vaddr;
    if (segment.p_type != PT_LOAD || wanted.address - begin >= segment.p_memsz) continue;
    wanted.found = {begin, begin + segment.p_memsz};
    return 1;
  }
  return 0;
}

}  // namespace

kernels_own memory_of_kernels_on_the_host(std::uintptr_t address) {
  if (const detail::block_scheduler* running = detail::block_scheduler::running_here())
    if (const auto* stack = running->stack_around(reinterpret_cast<const void*>(address)))
      return {range_of(*stack), true};
  segment_search search{address};
  dl_iterate_phdr(&search_module, &search);
  return {search.found, false};
}

// The system copies the byte into a pipe, or says that it can't.
bool is_memory(std::uintptr_t address) {
  struct byte_pipe {
    int ends[2] = {-1, -1};
    byte_pipe() {
      if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) ends[0] = ends[1] = -1;
    }
  };
  static const byte_pipe through;
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  char copy = 0;
  if (write(through.ends[1], reinterpret_cast<const void*>(address), 1) == 1)
    return read(through.ends[0], &copy, 1) == 1;
  return errno != EFAULT;
}

}  // namespace gs::inline GS_FLAVOUR::instruments

#endif
