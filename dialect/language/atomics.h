#pragma once
// Atomic functions: CUDA C++ Programming Guide, "Atomic Functions". With _block and _system they do the same: on the
// engine every one is atomic for the whole machine. Elements of shared memory are changed without a lock.

#include "runtime/kernel/atomic_ref.h"

#define GS_DIALECT_ATOMIC_SCOPE(name, method, type)                    \
  [[gnu::always_inline]] inline type name(type* address, type value) { \
    return gs::atomic_ref<type>(*address).method(value);               \
  }
#define GS_DIALECT_ATOMIC(name, method, type)         \
  GS_DIALECT_ATOMIC_SCOPE(name, method, type)         \
  GS_DIALECT_ATOMIC_SCOPE(name##_block, method, type) \
  GS_DIALECT_ATOMIC_SCOPE(name##_system, method, type)
#define GS_DIALECT_ATOMIC_OF_INTEGERS(name, method) \
  GS_DIALECT_ATOMIC(name, method, int)              \
  GS_DIALECT_ATOMIC(name, method, unsigned int)     \
  GS_DIALECT_ATOMIC(name, method, unsigned long long)

GS_DIALECT_ATOMIC_OF_INTEGERS(atomicAdd, fetch_add)
GS_DIALECT_ATOMIC(atomicAdd, fetch_add, float)
GS_DIALECT_ATOMIC(atomicAdd, fetch_add, double)
GS_DIALECT_ATOMIC(atomicSub, fetch_sub, int)
GS_DIALECT_ATOMIC(atomicSub, fetch_sub, unsigned int)
GS_DIALECT_ATOMIC_OF_INTEGERS(atomicExch, exchange)
GS_DIALECT_ATOMIC(atomicExch, exchange, float)
GS_DIALECT_ATOMIC_OF_INTEGERS(atomicMin, fetch_min)
GS_DIALECT_ATOMIC(atomicMin, fetch_min, long long)
GS_DIALECT_ATOMIC_OF_INTEGERS(atomicMax, fetch_max)
GS_DIALECT_ATOMIC(atomicMax, fetch_max, long long)
GS_DIALECT_ATOMIC_OF_INTEGERS(atomicAnd, fetch_and)
GS_DIALECT_ATOMIC_OF_INTEGERS(atomicOr, fetch_or)
GS_DIALECT_ATOMIC_OF_INTEGERS(atomicXor, fetch_xor)
GS_DIALECT_ATOMIC(atomicInc, fetch_inc, unsigned int)
GS_DIALECT_ATOMIC(atomicDec, fetch_dec, unsigned int)

#undef GS_DIALECT_ATOMIC_OF_INTEGERS
#undef GS_DIALECT_ATOMIC
#undef GS_DIALECT_ATOMIC_SCOPE

#define GS_DIALECT_EXCHANGE_SCOPE(name, type)                                           \
  [[gnu::always_inline]] inline type name(type* address, type expected, type desired) { \
    return gs::atomic_ref<type>(*address).compare_exchange(expected, desired);          \
  }
#define GS_DIALECT_EXCHANGE(type)                  \
  GS_DIALECT_EXCHANGE_SCOPE(atomicCAS, type)       \
  GS_DIALECT_EXCHANGE_SCOPE(atomicCAS_block, type) \
  GS_DIALECT_EXCHANGE_SCOPE(atomicCAS_system, type)

GS_DIALECT_EXCHANGE(int)
GS_DIALECT_EXCHANGE(unsigned int)
GS_DIALECT_EXCHANGE(unsigned long long)

#undef GS_DIALECT_EXCHANGE
#undef GS_DIALECT_EXCHANGE_SCOPE
