#pragma once
// What products without an output refuse.

#include <string_view>

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR::detail {

/// Throws gs::error: `call` ("gemm") was given .beta, and no output, which the manual calls `output` ("c").
[[noreturn]] void refuse_beta_without_output(std::string_view call, double beta, std::string_view output);

}  // namespace gs::inline GS_FLAVOUR::detail
