// What the compiler calls before every access in the kernel sources of the checked flavour. They are compiled with
// -fsanitize=thread and linked without its library: the names are that library's, the meaning is ours.
// Names and parameters: GCC's gcc/sanitizer.def. Reads and writes end in monitor::access; everything else does just
// what the program asked for.

#include "runtime/core/config.h"

#if GRIDSTRIDE_CHECKED

#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "runtime/instruments/memory/watched_by_host.h"
#include "runtime/instruments/monitor.h"
#include "runtime/instruments/spin_watch.h"
#include "runtime/observe/host_loop_watch.h"
#include "runtime/world/lent_memory.h"

namespace {

using gs::access_kind;
using gs::instruments::host_loop_watch, gs::instruments::lent_memory;
using gs::instruments::monitor, gs::instruments::spin_watch, gs::instruments::watched_by_host;

[[gnu::always_inline]] inline bool is_device_memory(const void* address) {
  return gs::detail::in_shared_memory(address) ||
         monitor::instance().arena().contains(reinterpret_cast<std::uintptr_t>(address));
}

[[gnu::always_inline]] inline void note(const void* address, std::size_t bytes, access_kind kind, const void* code) {
  monitor* m = monitor::here();
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  if (lent_memory::may_hold(at)) lent_memory::touch(at, bytes, kind, code);
  if (host_loop_watch* loops = host_loop_watch::here()) loops->access(at, bytes, kind, code);
  if (!m) {
    if (watched_by_host::may_hold(at))
      monitor::instance().each([&](auto& one) { one.host_access(at, bytes, kind, code); });
    return;
  }
  if (!m->follows(at, kind)) return;
  const bool is_the_monitors = m->busy();
  m->access(at, bytes, kind, code);
  if (is_the_monitors || !is_device_memory(address)) return;
  if (kind == access_kind::read)
    spin_watch::here().read(at, bytes, code, true);
  else
    spin_watch::here().wrote();
}

// The compiler reads it each time: a thread may wait so, also where nothing is watched.
void note_volatile_read(const void* address, std::size_t bytes, const void* code) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  monitor* m = monitor::here();
  if (m && m->follows(at, access_kind::read)) m->access(at, bytes, access_kind::read, code);
  if (is_device_memory(address)) spin_watch::here().read(at, bytes, code, false);
}

// Atomic operations of the host. Those of a kernel are gs::atomic_ref's, which tells of them itself.
void note_atomic(const volatile void* address, std::size_t bytes, access_kind kind, const void* code) {
  if (host_loop_watch* loops = host_loop_watch::here())
    loops->access(reinterpret_cast<std::uintptr_t>(address), bytes, kind, code);
}

// Before that: a range begins where it does because of a pointer that may be known.
void note_range(const void* address, std::size_t bytes, access_kind kind, const void* code) {
  monitor* m = monitor::here();
  if (!m || m->busy()) return;
  m->tell([&](auto& one) { one.before_range(reinterpret_cast<std::uintptr_t>(address), bytes, kind, code); });
}

// A range that memcpy and its like go through: words of 4 bytes where it lies so, else single bytes.
void note_pieces(const void* address, std::size_t bytes, access_kind kind, const void* code) {
  monitor* m = monitor::here();
  if (m && m->busy()) return;
  if (!m && !host_loop_watch::here()) return note(address, bytes, kind, code);
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  const std::size_t piece = (at | bytes) % 4 == 0 ? 4 : 1;
  if (m) m->set_range({at, at + bytes});
  for (std::size_t i = 0; i < bytes; i += piece) note(reinterpret_cast<const void*>(at + i), piece, kind, code);
  if (m) m->set_range({});
}

}  // namespace

#define GS_HOOKS(bytes)                                                                                              \
  void __tsan_read##bytes(void* a) { note(a, bytes, access_kind::read, __builtin_return_address(0)); }               \
  void __tsan_write##bytes(void* a) { note(a, bytes, access_kind::write, __builtin_return_address(0)); }             \
  void __tsan_unaligned_read##bytes(void* a) { note(a, bytes, access_kind::read, __builtin_return_address(0)); }     \
  void __tsan_unaligned_write##bytes(void* a) { note(a, bytes, access_kind::write, __builtin_return_address(0)); }   \
  void __tsan_volatile_read##bytes(void* a) { note_volatile_read(a, bytes, __builtin_return_address(0)); }           \
  void __tsan_volatile_write##bytes(void* a) { note(a, bytes, access_kind::write, __builtin_return_address(0)); }    \
  void __tsan_unaligned_volatile_read##bytes(void* a) { note_volatile_read(a, bytes, __builtin_return_address(0)); } \
  void __tsan_unaligned_volatile_write##bytes(void* a) {                                                             \
    note(a, bytes, access_kind::write, __builtin_return_address(0));                                                 \
  }

// Atomic operations of the host and of the runtime's own headers.
#define GS_NOTE_ATOMIC note_atomic(a, sizeof *a, access_kind::atomic, __builtin_return_address(0))
#define GS_ATOMICS(bits, type)                                                                              \
  type __tsan_atomic##bits##_load(const volatile type* a, int) {                                            \
    note_atomic(a, sizeof *a, access_kind::read, __builtin_return_address(0));                              \
    return __atomic_load_n(a, __ATOMIC_SEQ_CST);                                                            \
  }                                                                                                         \
  void __tsan_atomic##bits##_store(volatile type* a, type v, int) {                                         \
    GS_NOTE_ATOMIC, __atomic_store_n(a, v, __ATOMIC_SEQ_CST);                                               \
  }                                                                                                         \
  type __tsan_atomic##bits##_exchange(volatile type* a, type v, int) {                                      \
    return GS_NOTE_ATOMIC, __atomic_exchange_n(a, v, __ATOMIC_SEQ_CST);                                     \
  }                                                                                                         \
  type __tsan_atomic##bits##_fetch_add(volatile type* a, type v, int) {                                     \
    return GS_NOTE_ATOMIC, __atomic_fetch_add(a, v, __ATOMIC_SEQ_CST);                                      \
  }                                                                                                         \
  type __tsan_atomic##bits##_fetch_sub(volatile type* a, type v, int) {                                     \
    return GS_NOTE_ATOMIC, __atomic_fetch_sub(a, v, __ATOMIC_SEQ_CST);                                      \
  }                                                                                                         \
  type __tsan_atomic##bits##_fetch_and(volatile type* a, type v, int) {                                     \
    return GS_NOTE_ATOMIC, __atomic_fetch_and(a, v, __ATOMIC_SEQ_CST);                                      \
  }                                                                                                         \
  type __tsan_atomic##bits##_fetch_or(volatile type* a, type v, int) {                                      \
    return GS_NOTE_ATOMIC, __atomic_fetch_or(a, v, __ATOMIC_SEQ_CST);                                       \
  }                                                                                                         \
  type __tsan_atomic##bits##_fetch_xor(volatile type* a, type v, int) {                                     \
    return GS_NOTE_ATOMIC, __atomic_fetch_xor(a, v, __ATOMIC_SEQ_CST);                                      \
  }                                                                                                         \
  type __tsan_atomic##bits##_fetch_nand(volatile type* a, type v, int) {                                    \
    return GS_NOTE_ATOMIC, __atomic_fetch_nand(a, v, __ATOMIC_SEQ_CST);                                     \
  }                                                                                                         \
  bool __tsan_atomic##bits##_compare_exchange_strong(volatile type* a, type* e, type v, int, int) {         \
    return GS_NOTE_ATOMIC, __atomic_compare_exchange_n(a, e, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
  }                                                                                                         \
  bool __tsan_atomic##bits##_compare_exchange_weak(volatile type* a, type* e, type v, int, int) {           \
    return GS_NOTE_ATOMIC, __atomic_compare_exchange_n(a, e, v, true, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);  \
  }                                                                                                         \
  type __tsan_atomic##bits##_compare_exchange_val(volatile type* a, type e, type v, int, int) { /* clang */ \
    GS_NOTE_ATOMIC, __atomic_compare_exchange_n(a, &e, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);       \
    return e;                                                                                               \
  }

extern "C" {

GS_HOOKS(1)
GS_HOOKS(2)
GS_HOOKS(4)
GS_HOOKS(8)
GS_HOOKS(16)
void __tsan_read_range(void* a, std::size_t bytes) { note(a, bytes, access_kind::read, __builtin_return_address(0)); }
void __tsan_write_range(void* a, std::size_t bytes) { note(a, bytes, access_kind::write, __builtin_return_address(0)); }

// The linker turns an observed program's calls of memcpy into calls of __wrap_memcpy (--wrap, in cmake/flags.cmake).
void* __wrap_memcpy(void* to, const void* from, std::size_t bytes) {
  note_range(from, bytes, access_kind::read, __builtin_return_address(0));
  note_range(to, bytes, access_kind::write, __builtin_return_address(0));
  note_pieces(from, bytes, access_kind::read, __builtin_return_address(0));
  note_pieces(to, bytes, access_kind::write, __builtin_return_address(0));
  return std::memcpy(to, from, bytes);
}
void* __wrap_memmove(void* to, const void* from, std::size_t bytes) {
  note_range(from, bytes, access_kind::read, __builtin_return_address(0));
  note_range(to, bytes, access_kind::write, __builtin_return_address(0));
  note_pieces(from, bytes, access_kind::read, __builtin_return_address(0));
  note_pieces(to, bytes, access_kind::write, __builtin_return_address(0));
  return std::memmove(to, from, bytes);
}
void* __wrap_memset(void* to, int value, std::size_t bytes) {
  note_range(to, bytes, access_kind::write, __builtin_return_address(0));
  note_pieces(to, bytes, access_kind::write, __builtin_return_address(0));
  return std::memset(to, value, bytes);
}

// clang calls these instead, also where it copies a struct.
[[gnu::alias("__wrap_memcpy")]] void* __tsan_memcpy(void* to, const void* from, std::size_t bytes);
[[gnu::alias("__wrap_memmove")]] void* __tsan_memmove(void* to, const void* from, std::size_t bytes);
[[gnu::alias("__wrap_memset")]] void* __tsan_memset(void* to, int value, std::size_t bytes);

// What a kernel prints is printed when it runs first (launch_replay.h), in the same way by functions of <cstdio>.
int __wrap_vprintf(const char* format, va_list values) {
  return gs::instruments::runs_again() ? std::vsnprintf(nullptr, 0, format, values) : std::vprintf(format, values);
}
int __wrap_printf(const char* format, ...) {
  va_list values;
  va_start(values, format);
  const int written = __wrap_vprintf(format, values);
  va_end(values);
  return written;
}
int __wrap_puts(const char* text) { return gs::instruments::runs_again() ? 0 : std::puts(text); }
int __wrap_putchar(int c) { return gs::instruments::runs_again() ? c : std::putchar(c); }

GS_ATOMICS(8, std::uint8_t)
GS_ATOMICS(16, std::uint16_t)
GS_ATOMICS(32, std::uint32_t)
GS_ATOMICS(64, std::uint64_t)
void __tsan_atomic_thread_fence(int) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
void __tsan_atomic_signal_fence(int) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }

void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_vptr_update(void**, void*) {}
void __tsan_vptr_read(void**) {}

}  // extern "C"

#endif
