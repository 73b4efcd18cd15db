#pragma once
// device_variable: what the rewriter puts behind a declaration with __device__ or __constant__
// (dialect/rewrite/device_variables.h). The instruments then know the variable: on the engine host code reaches it by
// its name, on a GPU the host has another one of that name.

#include <source_location>

#include "runtime/observe/observe.h"

namespace dialect {

struct device_variable {
  template <class T>
  explicit device_variable(T& variable, const char* name,
                           const std::source_location& declared = std::source_location::current()) {
    gs::instruments::note_device_variable(&variable, sizeof variable, name, declared);
  }
};

}  // namespace dialect
