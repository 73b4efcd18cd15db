#pragma once
// Which of the host's memory a kernel uses rightly on the engine.

#include <cstdint>

#include "runtime/core/config.h"

#if GRIDSTRIDE_CHECKED

namespace gs::inline GS_FLAVOUR::instruments {

struct address_range {
  std::uintptr_t begin = 0, end = 0;
  bool contains(std::uintptr_t address) const { return address - begin < end - begin; }
};

struct kernels_own {
  address_range range;
  bool is_stack = false;
};

/// The stretch around `address` that stands for memory a thread has on a GPU too: its stack, or those of its block; the
/// constants and variables of the program and of its libraries, since nvcc refuses a kernel that uses another variable
/// than a constant. Empty for all else: memory of the host that only a pointer can have led to.
kernels_own memory_of_kernels_on_the_host(std::uintptr_t address);

/// Whether there is memory at the address that can be read. Takes the system two calls.
bool is_memory(std::uintptr_t address);

}  // namespace gs::inline GS_FLAVOUR::instruments

#endif
