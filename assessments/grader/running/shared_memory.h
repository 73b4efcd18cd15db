#pragma once
// shared_memory: a piece of memory without a name that the grader shares with a runner.

#include <cstddef>
#include <span>

#include "runtime/host/descriptor.h"

namespace grader {

using gs::detail::descriptor;

/// Filled with zeros. Its size is sealed: nobody can make it shorter under the grader's feet, or longer.
class shared_memory {
 public:
  enum class rights { others_read, others_write };
  /// With others_read, memory that the grader can write and nobody else: whoever gets the descriptor can only map it
  /// for reading (memfd_create(2), F_SEAL_FUTURE_WRITE). Throws gs::machine_error if the system gives no memory.
  shared_memory(std::size_t bytes, rights others);
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
