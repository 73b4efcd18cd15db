#pragma once
// What else device code may call: loads and stores with a hint for the cache, clocks, assert and __trap().

#include <cassert>
#include <cstdio>
#include <ctime>
#include <source_location>

#include "dialect/language/thread_names.h"

#define GS_DIALECT_FN [[gnu::always_inline]] inline

#define GS_DIALECT_LOAD(name)              \
  template <class T>                       \
  GS_DIALECT_FN T name(const T* address) { \
    return *address;                       \
  }
#define GS_DIALECT_STORE(name)                   \
  template <class T>                             \
  GS_DIALECT_FN void name(T* address, T value) { \
    *address = value;                            \
  }

GS_DIALECT_LOAD(__ldg)
GS_DIALECT_LOAD(__ldca)
GS_DIALECT_LOAD(__ldcg)
GS_DIALECT_LOAD(__ldcs)
GS_DIALECT_LOAD(__ldlu)
GS_DIALECT_LOAD(__ldcv)
GS_DIALECT_STORE(__stwb)
GS_DIALECT_STORE(__stcg)
GS_DIALECT_STORE(__stcs)
GS_DIALECT_STORE(__stwt)

#undef GS_DIALECT_LOAD
#undef GS_DIALECT_STORE

/// Nanoseconds of the system's clock: a clock of 1 GHz.
long long clock64();
namespace dialect {
/// What clock() is in a kernel.
inline std::clock_t device_clock() { return static_cast<std::clock_t>(clock64()); }
}  // namespace dialect

inline void __nanosleep(unsigned) {}

/// Stops the kernel, with cudaErrorLaunchFailure.
[[noreturn]] void __trap();
