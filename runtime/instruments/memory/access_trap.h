#pragma once
// access_trap: sees accesses to device memory that the compiler puts no hook before: of inline assembly, of intrinsics,
// of the C library. Some pages, drawn anew for each piece of work, have no rights, so that an access to them is a
// fault; its handler looks at it, opens the page for one instruction, and closes it again. That takes some
// microseconds, or some hundred in a virtual machine. What moves a whole array by such means comes by the page that was
// drawn.

#if GRIDSTRIDE_CHECKED

#include <cstddef>
#include <cstdint>

#include "runtime/core/config.h"
#include "runtime/observe/access_kind.h"

namespace gs::inline GS_FLAVOUR::instruments {
class device_arena;
}

namespace gs::inline GS_FLAVOUR::instruments::access_trap {

/// Once, before all else: the memory that is watched, and what is called in the handler of an access to it by the
/// instruction at `code`, on whatever thread of the system.
using teller = void (*)(std::uintptr_t address, access_kind kind, const void* code);
void belong_to(device_arena& memory, teller told);

/// From begin() to end(), pages are closed. Does nothing where a program can't be stopped after one instruction: that
/// is everywhere but on x86-64. One inspection at a time.
void begin();
void end();
bool is_on();

/// Blocks of whole pages that pages may be drawn from.
void add(std::uintptr_t begin, std::size_t bytes);
void remove(std::uintptr_t begin);
/// Opens what is closed, and closes a page of each block, of eight blocks where there are more.
void draw();

}  // namespace gs::inline GS_FLAVOUR::instruments::access_trap

#endif
