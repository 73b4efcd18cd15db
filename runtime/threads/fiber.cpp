#include "runtime/threads/fiber.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <fstream>

#include "runtime/core/error.h"
#if !defined(__x86_64__)
#include <boost/context/detail/fcontext.hpp>
#endif
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

namespace gs::inline GS_FLAVOUR::detail {

namespace {

// A guard page splits a mapping in two, and Linux allows a process 65,530 mappings by default. With many cores and a
// thousand waiting threads on each, the stacks would use them all: some thousands are left to the program.
std::ptrdiff_t most_guards() {
  std::ptrdiff_t mappings = 65530;
  if (std::ifstream setting("/proc/sys/vm/max_map_count"); !(setting >> mappings)) mappings = 65530;
  return (mappings - 16384) / 2;
}

std::atomic<std::ptrdiff_t> guard_pages{0};

bool take_a_guard() {
  static const std::ptrdiff_t limit = most_guards();
  if (++guard_pages <= limit) return true;
  --guard_pages;
  return false;
}

}  // namespace

guarded_stack::guarded_stack(std::size_t bytes, std::size_t offset) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  guard_bytes_ = take_a_guard() ? page : 0;
  mapped_bytes_ = page + (bytes + offset + page - 1) / page * page;
  void* mapped =
      mmap(nullptr, mapped_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED || (guard_bytes_ > 0 && mprotect(mapped, guard_bytes_, PROT_NONE) != 0)) {
    const int reason = errno;
    guard_pages -= guard_bytes_ > 0;
    if (mapped != MAP_FAILED) munmap(mapped, mapped_bytes_);
    throw machine_error(fmt::format("a stack of {} KiB for a thread of a kernel that waits at a barrier", bytes / 1024),
                        fmt::format("the system says: {}", std::strerror(reason)),
                        "launch fewer threads per block, or set GRIDSTRIDE_THREADS to fewer cores");
  }
  mapped_ = static_cast<char*>(mapped);
  top_ = mapped_ + mapped_bytes_ - offset;
}

guarded_stack::~guarded_stack() {
#if defined(__SANITIZE_ADDRESS__)
  __asan_unpoison_memory_region(bottom(), size());  // the next mapping here must not inherit these frames' poison
#endif
  munmap(mapped_, mapped_bytes_);
  guard_pages -= guard_bytes_ > 0;
}

void fiber::begin(fiber* self) {
  arrived(*self);
  self->entry_(self->argument_);
  std::terminate();  // an entry never returns
}

void fiber::begin_with(entry start, void* argument) {
#if defined(__SANITIZE_ADDRESS__)
  __asan_unpoison_memory_region(stack_->bottom(), stack_->size());
  fake_stack_ = nullptr;
#endif
  entry_ = start;
  argument_ = argument;
#if defined(__x86_64__)
  // The first jump goes to an instruction that takes the fiber from its stack and calls begin() as if it had no
  // caller. At a function's first instruction the stack pointer is 8 past a multiple of 16.
  const auto enter = [] {
    void* address = nullptr;
    asm volatile(
        "leaq 2f(%%rip), %0\n\t"
        "jmp 3f\n"
        "2:\n\t"
        "popq %%rdi\n\t"
        "popq %%rax\n\t"
        "xorl %%ebp, %%ebp\n\t"
        "jmpq *%%rax\n"
        "3:"
        : "=r"(address));
    return address;
  };
  const auto top = reinterpret_cast<std::uintptr_t>(stack_->top()) & ~std::uintptr_t{15};
  auto** slot = reinterpret_cast<void**>(top) - 3;
  slot[0] = this;
  slot[1] = reinterpret_cast<void*>(&fiber::begin);
  slot[2] = nullptr;  // the return address of begin()
  left_at_ = {.stack_pointer = slot, .instruction = enter()};
#else
  left_at_ = boost::context::detail::make_fcontext(stack_->top(), stack_->size(), &fiber::begin_boost);
#endif
}

#if !defined(__x86_64__)
void fiber::jump_by_boost(fiber& self, fiber& next) {
  ends between{&self, &next};
  const auto transfer = boost::context::detail::jump_fcontext(next.left_at_, &between);
  static_cast<ends*>(transfer.data)->left->left_at_ = transfer.fctx;
}

void fiber::begin_boost(boost::context::detail::transfer_t transfer) {
  const ends between = *static_cast<ends*>(transfer.data);
  between.left->left_at_ = transfer.fctx;
  begin(between.reached);
}
#endif

}  // namespace gs::inline GS_FLAVOUR::detail
