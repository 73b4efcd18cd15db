#pragma once
// thread_fault: what stopped a thread of a kernel, as the signal's handler sees it, and the error that reports it.

#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <string_view>

#include "runtime/core/config.h"
#include "runtime/core/error.h"
#include "runtime/core/fault_signal.h"
#include "runtime/core/index3.h"

namespace gs::inline GS_FLAVOUR::detail {

/// Plain bytes: filled in a handler, and sent from one process to another.
struct thread_fault {
  enum class kind : std::uint8_t { access, division, overflow };
  kind what = kind::access;  ///< an address or an instruction that isn't one; a division; the stack
  fault_signal signal;
  std::size_t stack_bytes = 0;  ///< of the stack that the thread ran on
  std::string_view kernel;
  index3 grid{1, 1, 1}, block{1, 1, 1};  ///< extents
  std::size_t block_number = 0;
  std::optional<unsigned> thread;  ///< its number in the block; none where a loop over the threads was interrupted
};

/// "thread 17 of block 3 read from address ...", or "a thread of block 3 ..." if its number isn't known.
kernel_fault describe_fault(const thread_fault& fault);

/// Of a thread whose number isn't known.
class unnamed_fault : public kernel_fault {
 public:
  explicit unnamed_fault(const thread_fault& fault) : kernel_fault(describe_fault(fault)), fault_(fault) {}
  const thread_fault& fault() const noexcept { return fault_; }

 private:
  thread_fault fault_;
};

/// The error of a block: a kernel_fault, an unnamed_fault where the thread isn't known.
std::exception_ptr as_exception(const thread_fault& fault);

/// Whether `second`, of a block that ran again thread by thread, is what interrupted the loop over its threads before.
bool is_repeated(const thread_fault& first, const thread_fault& second);
/// Whether it says what was accessed: an address that others don't come to by chance, as they do to a null pointer.
bool has_address_of_its_own(const thread_fault& fault);

}  // namespace gs::inline GS_FLAVOUR::detail
