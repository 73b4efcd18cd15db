#pragma once
// gs::atomic_ref: one element of global or shared memory, changed by many threads without losing a change.

#include <atomic>
#include <bit>
#include <concepts>
#include <cstdint>
#include <type_traits>

#include "runtime/core/atomic_element.h"
#include "runtime/core/config.h"
#include "runtime/observe/observe.h"
#include "runtime/threads/shared_window.h"
#include "runtime/threads/spin_marks.h"

namespace gs::inline GS_FLAVOUR {

/// gs::atomic_ref(counts[bin]).fetch_add(1u): reads, changes and writes `element` as one step, and returns the old
/// value. Memory order is relaxed, as CUDA's atomics are: other data is ordered by barriers and fences. Integers wrap
/// around.
///
/// min and max of floating-point numbers: a NaN never replaces a number, and any number replaces a NaN, as std::fmin
/// and fmax have it; of -0 and +0 either may stay. The bits of a sum of floating-point numbers depend on the order of
/// the threads, which is not fixed.
///
/// On the engine an element of shared memory is changed without a lock: the threads of a block run on one core.
template <class T>
class atomic_ref {
  static_assert(detail::atomic_element<T>,
                "gs::atomic_ref: the element is an integer or a floating-point number of 4 or 8 bytes; GPUs change no "
                "others as one step");

 public:
  using value_type = T;                                          ///< the type of the element
  GS_FN explicit atomic_ref(T& element) : element_(&element) {}  ///< of this element, which outlives it

  /// The element's value.
  GS_FN T load() const {
#if defined(__CUDA_ARCH__)
    return *const_cast<volatile T*>(element_);
#else
    note(atomic_effect::load);
    return std::atomic_ref<T>(*element_).load(std::memory_order_relaxed);
#endif
  }
  /// Writes the element.
  GS_FN void store(T value) const {
#if defined(__CUDA_ARCH__)
    *const_cast<volatile T*>(element_) = value;
#else
    note(atomic_effect::store);
    std::atomic_ref<T>(*element_).store(value, std::memory_order_relaxed);
#endif
  }

  /// Adds to the element, or subtracts from it; integers wrap around. Returns the old value.
  ///@{
  GS_FN T fetch_add(T value) const {
#if defined(__CUDA_ARCH__)
    if constexpr (std::integral<T>)
      return from_bits(atomicAdd(bits(), to_bits(value)));  // signed integers wrap around the same way
    else
      return atomicAdd(element_, value);
#else
    note(atomic_effect::update);
    if (without_lock()) return change([=](T old) { return add(old, value); });
    return std::atomic_ref<T>(*element_).fetch_add(value, std::memory_order_relaxed);
#endif
  }
  GS_FN T fetch_sub(T value) const { return fetch_add(negative(value)); }
  ///@}

  /// The smaller, or larger, of the two; a number instead of NaN. Returns the old value.
  ///@{
  GS_FN T fetch_min(T value) const {
#if defined(__CUDA_ARCH__)
    if constexpr (std::integral<T>) return static_cast<T>(atomicMin(word(), static_cast<word_type>(value)));
#endif
    return update([=](T old) { return lesser(value, old) ? value : old; });
  }
  GS_FN T fetch_max(T value) const {
#if defined(__CUDA_ARCH__)
    if constexpr (std::integral<T>) return static_cast<T>(atomicMax(word(), static_cast<word_type>(value)));
#endif
    return update([=](T old) { return greater(value, old) ? value : old; });
  }
  ///@}

  /// Bit by bit, of integers. Returns the old value.
  ///@{
  GS_FN T fetch_and(T value) const requires std::integral<T> {
#if defined(__CUDA_ARCH__)
    return from_bits(atomicAnd(bits(), to_bits(value)));
#else
    return update([=](T old) { return static_cast<T>(old & value); });
#endif
  }
  GS_FN T fetch_or(T value) const requires std::integral<T> {
#if defined(__CUDA_ARCH__)
    return from_bits(atomicOr(bits(), to_bits(value)));
#else
    return update([=](T old) { return static_cast<T>(old | value); });
#endif
  }
  GS_FN T fetch_xor(T value) const requires std::integral<T> {
#if defined(__CUDA_ARCH__)
    return from_bits(atomicXor(bits(), to_bits(value)));
#else
    return update([=](T old) { return static_cast<T>(old ^ value); });
#endif
  }
  ///@}

  /// Counts up to `last` and starts again at 0; counts down to 0 and starts again at `last` (also from beyond it).
  /// CUDA: atomicInc, atomicDec.
  ///@{
  GS_FN T fetch_inc(T last) const requires std::unsigned_integral<T> {
#if defined(__CUDA_ARCH__)
    if constexpr (sizeof(T) == 4) return atomicInc(bits(), last);
#endif
    return update([=](T old) { return old >= last ? T{0} : static_cast<T>(old + 1); });
  }
  GS_FN T fetch_dec(T last) const requires std::unsigned_integral<T> {
#if defined(__CUDA_ARCH__)
    if constexpr (sizeof(T) == 4) return atomicDec(bits(), last);
#endif
    return update([=](T old) { return old == 0 || old > last ? last : static_cast<T>(old - 1); });
  }
  ///@}

  /// Writes the element and returns the old value.
  GS_FN T exchange(T value) const {
#if defined(__CUDA_ARCH__)
    return from_bits(atomicExch(bits(), to_bits(value)));
#else
    return update([=](T) { return value; });
#endif
  }
  /// Writes `desired` if the element has the bits of `expected`. Returns the old value either way.
  GS_FN T compare_exchange(T expected, T desired) const {
#if defined(__CUDA_ARCH__)
    return from_bits(atomicCAS(bits(), to_bits(expected), to_bits(desired)));
#else
    note(atomic_effect::update);
    if (without_lock()) return change([=](T old) { return same_bits(old, expected) ? desired : old; });
    std::atomic_ref<T>(*element_).compare_exchange_strong(expected, desired, std::memory_order_relaxed);
    return expected;
#endif
  }

 private:
  using bits_type = std::conditional_t<sizeof(T) == 4, unsigned, unsigned long long>;

  GS_FN static T add(T a, T b) {
    if constexpr (std::integral<T>)  // wraps around, also where T is signed
      return static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) + static_cast<std::make_unsigned_t<T>>(b));
    else
      return a + b;
  }
  GS_FN static T negative(T value) {
    if constexpr (std::integral<T>)
      return static_cast<T>(std::make_unsigned_t<T>{0} - static_cast<std::make_unsigned_t<T>>(value));
    else
      return -value;
  }
  // Whether `value` replaces `old`: NaN compares false with everything, and old != old is true for NaN alone.
  GS_FN static bool lesser(T value, T old) { return value < old || (old != old && value == value); }
  GS_FN static bool greater(T value, T old) { return value > old || (old != old && value == value); }

  // The element becomes next(old); `next` may be called more than once. Returns the old value.
  template <class F>
  GS_FN T update(F next) const {
#if defined(__CUDA_ARCH__)
    bits_type expected = to_bits(load());
    for (;;) {
      const bits_type found = atomicCAS(bits(), expected, to_bits(next(from_bits(expected))));
      if (found == expected) return from_bits(found);
      expected = found;
    }
#else
    note(atomic_effect::update);
    if (without_lock()) return change(next);
    const std::atomic_ref<T> element(*element_);
    T old = element.load(std::memory_order_relaxed);
    while (!element.compare_exchange_weak(old, next(old), std::memory_order_relaxed)) {
    }
    return old;
#endif
  }

#if defined(__CUDA_ARCH__)
  GS_FN static bits_type to_bits(T value) {
    bits_type b;
    memcpy(&b, &value, sizeof b);
    return b;
  }
  GS_FN static T from_bits(bits_type b) {
    T value;
    memcpy(&value, &b, sizeof value);
    return value;
  }
  GS_FN bits_type* bits() const { return reinterpret_cast<bits_type*>(element_); }

  // The type that CUDA's atomicMin and atomicMax take.
  using word_type =
      std::conditional_t<sizeof(T) == 8, std::conditional_t<std::signed_integral<T>, long long, unsigned long long>,
                         std::conditional_t<std::signed_integral<T>, int, unsigned>>;
  GS_FN word_type* word() const { return reinterpret_cast<word_type*>(element_); }
#else
#if GRIDSTRIDE_CHECKED
  using atomic_effect = instruments::atomic_effect;
  void note(atomic_effect effect) const { instruments::note_atomic(element_, sizeof(T), effect); }
  bool without_lock() const { return detail::in_shared_memory(element_) || instruments::watching(); }
#else
  enum class atomic_effect { load, store, update };
#if GRIDSTRIDE_SPLITS_BARRIERS
  static void note(atomic_effect) {}  // the compiler marks the loops itself
#else
  void note(atomic_effect effect) const {
    if (effect == atomic_effect::store) return;
    const T value = std::atomic_ref<T>(*element_).load(std::memory_order_relaxed);
    using word = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    gridstride_spin_again(nullptr, 0, reinterpret_cast<std::uintptr_t>(element_) * 31 + std::bit_cast<word>(value), 0,
                          false);
  }
#endif
  bool without_lock() const { return detail::in_shared_memory(element_); }
#endif

  // Without a lock. Volatile, so that the compiler doesn't merge the threads' changes into a vector; std::atomic_ref
  // would do that too, but g++ treats its loads and stores as calls and then unrolls no loop around them.
  template <class F>
  GS_UNOBSERVED T change(F next) const {
    volatile T& element = *element_;
    const T old = element;
    element = next(old);
    return old;
  }
  static bool same_bits(T a, T b) {
    using word = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    return std::bit_cast<word>(a) == std::bit_cast<word>(b);
  }
#endif

  T* element_;
};

/// The type follows from the element.
template <class T>
atomic_ref(T&) -> atomic_ref<T>;

}  // namespace gs::inline GS_FLAVOUR
