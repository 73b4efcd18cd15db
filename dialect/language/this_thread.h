#pragma once
// The thread that runs, as gs knows it.

#include "dialect/language/thread_marks.h"
#include "dialect/language/vector_types.h"
#include "runtime/kernel/thread.h"

namespace dialect {

[[gnu::always_inline]] inline gs::thread this_thread() {
  const auto three = [](unsigned first) __attribute__((always_inline)) {
    return gs::index3{gridstride_cuda_index(first), gridstride_cuda_index(first + 1), gridstride_cuda_index(first + 2)};
  };
  return {three(0), three(3), three(6), three(9), static_cast<gs::detail::thread_loop*>(gridstride_cuda_pointer(0))};
}

}  // namespace dialect
