#pragma once
// gs::error: the exception of everything that the runtime refuses.

#include <stdexcept>
#include <string>

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR {

/// What was asked, what was found, and what to do about it. `what()` is the three as one sentence:
///   "asked: found; advice"
class error : public std::runtime_error {
 public:
  /// Three parts of a sentence, without a full stop.
  error(const std::string& asked, const std::string& found, const std::string& advice)
      : std::runtime_error(asked + ": " + found + "; " + advice), asked_(asked), found_(found), advice_(advice) {}

  const std::string& asked() const noexcept { return asked_; }    ///< the request that failed
  const std::string& found() const noexcept { return found_; }    ///< the reason
  const std::string& advice() const noexcept { return advice_; }  ///< a way out

 private:
  std::string asked_, found_, advice_;
};

/// Something this machine lacks: a GPU, memory, a compiler. Programs end with exit status 3 on it.
class machine_error : public error {
 public:
  using error::error;
};

/// Something a kernel's thread did that stops a processor: an access outside any memory, an integer division by zero, a
/// stack overflow; or a wait that can never end. Programs end with exit status 1 on it.
class kernel_fault : public error {
 public:
  using error::error;
};

}  // namespace gs::inline GS_FLAVOUR
