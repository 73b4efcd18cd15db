#include "runtime/engine/fiber.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "runtime/core/error.h"
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace gs::inline GS_FLAVOUR {

namespace context = boost::context::detail;

guarded_stack::guarded_stack(std::size_t bytes, std::size_t offset) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  guard_bytes_ = page;
  mapped_bytes_ = guard_bytes_ + (bytes + offset + page - 1) / page * page;
  void* mapped =
      mmap(nullptr, mapped_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED || mprotect(mapped, guard_bytes_, PROT_NONE) != 0) {
    const int reason = errno;
    if (mapped != MAP_FAILED) munmap(mapped, mapped_bytes_);
    throw machine_error(fmt::format("a stack of {} KiB for a thread of a kernel that waits at a barrier", bytes / 1024),
                        fmt::format("the system says: {}", std::strerror(reason)),
                        "launch fewer threads per block, or set GRIDSTRIDE_THREADS to fewer cores");
  }
  mapped_ = static_cast<char*>(mapped);
  top_ = mapped_ + mapped_bytes_ - offset;
}

guarded_stack::~guarded_stack() { munmap(mapped_, mapped_bytes_); }

void fiber::begin_with(entry start_with, void* argument) {
#if defined(__SANITIZE_ADDRESS__)
  __asan_unpoison_memory_region(stack_->bottom(), stack_->size());
  fake_stack_ = nullptr;
#endif
  entry_ = start_with;
  argument_ = argument;
  context_ = context::make_fcontext(stack_->top(), stack_->size(), &fiber::start);
}

void fiber::jump(fiber& self, fiber& next) {
  ends between{&self, &next};
#if defined(__SANITIZE_ADDRESS__)
  const void* bottom = next.stack_ ? next.stack_->bottom() : next.system_bottom_;
  const std::size_t size = next.stack_ ? next.stack_->size() : next.system_size_;
  __sanitizer_start_switch_fiber(&self.fake_stack_, bottom, size);
#endif
  arrived(context::jump_fcontext(next.context_, &between));
}

void fiber::arrived(context::transfer_t from) {
  const ends between = *static_cast<ends*>(from.data);
  between.left->context_ = from.fctx;
#if defined(__SANITIZE_ADDRESS__)
  const void* bottom = nullptr;
  std::size_t size = 0;
  __sanitizer_finish_switch_fiber(between.reached->fake_stack_, &bottom, &size);
  if (!between.left->stack_) {
    between.left->system_bottom_ = bottom;
    between.left->system_size_ = size;
  }
#endif
}

void fiber::start(context::transfer_t from) {
  fiber* self = static_cast<ends*>(from.data)->reached;
  arrived(from);
  self->entry_(self->argument_);
}

}  // namespace gs::inline GS_FLAVOUR
