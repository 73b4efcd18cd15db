#include "dialect/language/shared_variables.h"

#include <algorithm>
#include <exception>
#include <string>

#include "runtime/core/error.h"
#include "runtime/engine/block_scheduler.h"
#include "runtime/kernel/shared.h"

namespace dialect {
namespace {

[[noreturn]] void refuse(std::size_t variables, std::size_t dynamic) {
  gs::detail::block_scheduler::go_on_without_this_thread(std::make_exception_ptr(
      gs::error("a kernel with " + std::to_string(variables) + " bytes of __shared__ variables and " +
                    std::to_string(dynamic) + " dynamic ones",
                "a block has " + std::to_string(gs::detail::most_shared_bytes) + " bytes", "use smaller tiles")));
}

}  // namespace

std::size_t shared_layout::offset_of(const void* site, std::size_t bytes, std::size_t alignment) {
  std::unique_lock lock(mutex_);
  const auto known = std::ranges::find(variables_, site, &variable::site);
  if (known != variables_.end()) return known->offset;
  const std::size_t offset = (bytes_ + alignment - 1) / alignment * alignment;
  const std::size_t end = offset + bytes, dynamic = dynamic_bytes_;
  if (end + dynamic > gs::detail::most_shared_bytes) {
    lock.unlock();
    refuse(end, dynamic);
  }
  variables_.push_back({site, offset});
  bytes_ = end;
  return offset;
}

std::size_t shared_layout::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

void shared_layout::reserve_dynamic(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  dynamic_bytes_ = bytes;
}

}  // namespace dialect

extern "C" std::size_t gridstride_cuda_shared_offset(const void* site, void* layout, std::size_t bytes,
                                                     std::size_t alignment) noexcept {
  return static_cast<dialect::shared_layout*>(layout)->offset_of(site, bytes, alignment);
}
