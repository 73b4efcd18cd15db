#include "dialect/language/shared_variables.h"

#include <unistd.h>

#include <algorithm>
#include <exception>
#include <string>

#include "runtime/core/error.h"
#include "runtime/engine/block_scheduler.h"
#include "runtime/kernel/shared.h"

namespace dialect {
namespace {

using gs::detail::most_shared_bytes;

[[noreturn]] void stop(const std::string& asked, const std::string& found, const std::string& advice) {
  gs::detail::block_scheduler::go_on_without_this_thread(std::make_exception_ptr(gs::error(asked, found, advice)));
}

}  // namespace

std::size_t shared_layout::offset_of(const void* site, std::size_t bytes, std::size_t alignment) {
  constexpr std::size_t vector_bytes = 16;  // arrays are read as float4, too
  const std::size_t step = bytes >= vector_bytes ? std::max(alignment, vector_bytes) : alignment;
  std::unique_lock lock(mutex_);
  const auto known = std::ranges::find(variables_, site, &variable::site);
  if (known != variables_.end()) return known->offset;
  const std::size_t offset = (bytes_ + step - 1) / step * step, end = offset + bytes, dynamic = dynamic_bytes_;
  if (end + dynamic > most_shared_bytes) {
    lock.unlock();
    stop("a kernel with " + std::to_string(end) + " bytes of __shared__ variables and " + std::to_string(dynamic) +
             " dynamic ones",
         "a block has " + std::to_string(most_shared_bytes) + " bytes", "use smaller tiles");
  }
  if (known_bytes_ && end > *known_bytes_) {
    lock.unlock();
    stop("a __shared__ variable under the instruments", "the kernel's first block doesn't come to its declaration",
         "declare it at the beginning of the kernel");
  }
  variables_.push_back({site, offset});
  bytes_ = end;
  if (report_ >= 0) [[maybe_unused]]
    const auto sent = write(report_, &end, sizeof end);
  return offset;
}

std::size_t shared_layout::bytes() const {
  const std::lock_guard lock(mutex_);
  return known_bytes_.value_or(bytes_);
}

void shared_layout::reserve_dynamic(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  dynamic_bytes_ = std::max(dynamic_bytes_, bytes);
  if (takes_all_room_) known_bytes_ = room();
}

bool shared_layout::is_known() const {
  const std::lock_guard lock(mutex_);
  return known_bytes_.has_value();
}

void shared_layout::set_known(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  known_bytes_ = bytes;
}

void shared_layout::take_all_room() {
  const std::lock_guard lock(mutex_);
  takes_all_room_ = true;
  known_bytes_ = room();
}

std::size_t shared_layout::room() const {
  return dynamic_bytes_ < most_shared_bytes ? (most_shared_bytes - dynamic_bytes_) / 16 * 16 : 0;
}

void shared_layout::report_to(int descriptor) { report_ = descriptor; }

}  // namespace dialect

extern "C" std::size_t gridstride_cuda_shared_offset(const void* site, void* layout, std::size_t bytes,
                                                     std::size_t alignment) noexcept {
  return static_cast<dialect::shared_layout*>(layout)->offset_of(site, bytes, alignment);
}
