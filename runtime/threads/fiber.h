#pragma once
// fiber: code that can be left and continued, on a stack of its own.

#include <cstddef>

#include "runtime/core/config.h"
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

#if !defined(__x86_64__)  // Boost.Context, which only the runtime's library is linked with
namespace boost::context::detail {
struct transfer_t;
}
#endif

namespace gs::inline GS_FLAVOUR::detail {

/// A stack that ends in a page that can't be accessed, so that an overflow is caught where it happens. Beyond some
/// 24,000 stacks at a time it ends in an ordinary page: the system doesn't allow more mappings.
class guarded_stack {
 public:
  /// `bytes` is rounded up to whole pages. The stack starts `offset` bytes below the end of them: fibers whose stacks
  /// all start at the same place in a page would compete for a few lines of the cache. Throws gs::machine_error.
  explicit guarded_stack(std::size_t bytes, std::size_t offset = 0);
  ~guarded_stack();
  guarded_stack(const guarded_stack&) = delete;
  guarded_stack& operator=(const guarded_stack&) = delete;

  char* bottom() const { return mapped_ + guard_bytes_; }  ///< the lowest address that may be used
  char* top() const { return top_; }
  std::size_t size() const { return static_cast<std::size_t>(top_ - bottom()); }
  bool contains(const void* address) const {
    return static_cast<const char*>(address) >= bottom() && static_cast<const char*>(address) < top_;
  }
  bool guards(const void* address) const {
    return static_cast<const char*>(address) >= mapped_ && static_cast<const char*>(address) < bottom();
  }

 private:
  char* mapped_;
  char* top_;
  std::size_t mapped_bytes_, guard_bytes_;
};

/// Code that can be left and continued. A fiber without a stack is what a system thread was running.
///
/// On x86-64 the switch is a dozen instructions inlined into the function that switches: the compiler saves only the
/// registers in use, and the processor mispredicts no return, since a switch makes no call. It costs 2 to 3 ns, where
/// Boost.Context, which does it on other processors, needs 6 and two mispredicted returns. Neither saves the
/// floating-point control words.
class fiber {
 public:
  using entry = void (*)(void* argument);

  fiber() = default;
  explicit fiber(const guarded_stack& stack) : stack_(&stack) {}
  fiber(const fiber&) = delete;
  fiber& operator=(const fiber&) = delete;

  const guarded_stack* stack() const { return stack_; }
  void* argument() const { return argument_; }  ///< of begin_with()

  /// From now on this fiber begins with `start(argument)`, which never returns; what it was doing is forgotten.
  void begin_with(entry start, void* argument);
  /// Whether there is something to continue.
  bool started() const { return top_of_use() != nullptr; }
  void forget() { left_at_ = {}; }
  /// Fetches the part of the stack that the code will use first when it continues: the line at the stack pointer, and
  /// the next one.
  [[gnu::always_inline]] void prefetch() const {
    for (int line = 0; line < 2; ++line) __builtin_prefetch(static_cast<const char*>(top_of_use()) + 64 * line);
  }

  /// Fetches what prefetch() and a jump read first.
  [[gnu::always_inline]] void prefetch_place() const { __builtin_prefetch(&left_at_); }

  /// Leaves `self`, which is running, and continues `next`. Returns when somebody continues `self`.
  static void jump(fiber& self, fiber& next);

  /// A jump as a value: the running fiber and the next one, which may be the same.
  struct change {
    fiber *self, *next;
  };
  [[gnu::always_inline]] static void jump(const change& c) {
    if (c.next != c.self) jump(*c.self, *c.next);
  }

 private:
  // The first and the last step of a jump, for the sanitizers.
  static void leaving([[maybe_unused]] fiber& self, [[maybe_unused]] fiber& next) {
#if defined(__SANITIZE_ADDRESS__)
    const void* bottom = next.stack_ ? next.stack_->bottom() : next.system_bottom_;
    const std::size_t size = next.stack_ ? next.stack_->size() : next.system_size_;
    __sanitizer_start_switch_fiber(&self.fake_stack_, bottom, size);
    next.came_from_ = &self;
#endif
  }
  static void arrived([[maybe_unused]] fiber& self) {
#if defined(__SANITIZE_ADDRESS__)
    const void* bottom = nullptr;
    std::size_t size = 0;
    __sanitizer_finish_switch_fiber(self.fake_stack_, &bottom, &size);
    if (!self.came_from_->stack_) {
      self.came_from_->system_bottom_ = bottom;
      self.came_from_->system_size_ = size;
    }
#endif
  }
  [[noreturn]] static void begin(fiber* self);
  void* top_of_use() const {
#if defined(__x86_64__)
    return left_at_.stack_pointer;
#else
    return left_at_;
#endif
  }

#if defined(__x86_64__)
  // Kept here and not on the stack: the fewer lines of the cache a switch touches, the more fibers stay in it.
  struct place {
    void *stack_pointer = nullptr, *instruction = nullptr, *rbp = nullptr, *rbx = nullptr;
  };
  alignas(64) place left_at_;
#else
  void* left_at_ = nullptr;
#endif
  const guarded_stack* stack_ = nullptr;
  entry entry_ = nullptr;
  void* argument_ = nullptr;
#if defined(__SANITIZE_ADDRESS__)
  void* fake_stack_ = nullptr;
  fiber* came_from_ = nullptr;
  const void* system_bottom_ = nullptr;  // of a fiber without a stack of ours
  std::size_t system_size_ = 0;
#endif
#if !defined(__x86_64__)
  struct ends {
    fiber *left, *reached;
  };
  static void jump_by_boost(fiber& self, fiber& next);
  static void begin_boost(boost::context::detail::transfer_t from);
#endif
};

[[gnu::always_inline]] inline void fiber::jump(fiber& self, fiber& next) {
  leaving(self, next);
#if defined(__x86_64__)
  place *from = &self.left_at_, *to = &next.left_at_;
  // rbp and rbx are saved here: the compiler may use them as frame and base pointers, and takes neither as a clobber.
  asm volatile(
      "movq %%rsp, (%[from])\n\t"
      "leaq 1f(%%rip), %%rax\n\t"
      "movq %%rax, 8(%[from])\n\t"
      "movq %%rbp, 16(%[from])\n\t"
      "movq %%rbx, 24(%[from])\n\t"
      "movq (%[to]), %%rsp\n\t"
      "movq 16(%[to]), %%rbp\n\t"
      "movq 24(%[to]), %%rbx\n\t"
      "jmpq *8(%[to])\n"
      "1:"
      : [from] "+S"(from), [to] "+D"(to)
      :
      : "rax", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "cc", "memory", "xmm0", "xmm1",
        "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14",
        "xmm15"
#if defined(__AVX512F__)
        ,
        "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25", "xmm26", "xmm27",
        "xmm28", "xmm29", "xmm30", "xmm31", "k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7"
#endif
  );
#else
  jump_by_boost(self, next);
#endif
  arrived(self);
}

}  // namespace gs::inline GS_FLAVOUR::detail
