#pragma once
// shared_memory: anonymous memory that the grader shares with a runner.

#include <cstddef>
#include <span>

#include "runtime/host/descriptor.h"

namespace grader {

using gs::detail::descriptor;

/// Filled with zeros. Its size is sealed: a submission can neither shrink nor grow it under the grader's feet.
class shared_memory {
 public:
  enum class rights { others_read, others_write };
  /// With others_read, only the grader can write it: anybody else who gets the descriptor can only map it
  /// for reading (memfd_create(2), F_SEAL_FUTURE_WRITE). Throws gs::machine_error if the system gives no memory.
  shared_memory(std::size_t bytes, rights runner_rights);
  ~shared_memory();
  shared_memory(const shared_memory&) = delete;
  shared_memory& operator=(const shared_memory&) = delete;

  std::span<std::byte> bytes() const { return bytes_; }
  int number() const { return file_.number(); }

 private:
  descriptor file_;
  std::span<std::byte> bytes_;
};

}  // namespace grader
