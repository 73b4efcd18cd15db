#pragma once
// What operations on tables refuse. Apart from their kernels: nvcc doesn't read {fmt}.

#include <cstdint>
#include <string_view>

#include "runtime/columns/table.h"
#include "runtime/core/config.h"
#include "runtime/core/shape.h"

namespace gs::inline GS_FLAVOUR::detail {

/// Throws gs::error for more rows than 32 bits can number; `call` is what was asked for.
void check_row_count(std::string_view call, std::uint64_t rows);
/// Unless there is one flag for each row.
void check_flags(const table& t, const shape& flags);
/// Unless the keys are of one type, and no other column is in both tables.
void check_join(const table& left, const table& right, std::string_view key);

}  // namespace gs::inline GS_FLAVOUR::detail
