#pragma once
// Rows by their numbers: what filter, sort, group-by and join have in common. They find numbers of rows first, and
// fetch every column by them once.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "runtime/columns/column_type.h"
#include "runtime/columns/table.h"
#include "runtime/core/config.h"
#include "runtime/kernel/launch_options.h"

namespace gs::inline GS_FLAVOUR::detail {

/// Numbers of rows: half the memory of 64 bits, and half the time to sort.
using row_numbers = device_array<std::uint32_t>;

/// A launch for n elements with a grid-stride loop. Small blocks where a thread has much to do: a block runs on one
/// core.
inline launch_options launch_over(std::size_t n, std::size_t block = 256) {
  constexpr std::size_t most_blocks = 4096;
  return {.grid = std::clamp<std::size_t>((n + block - 1) / block, 1, most_blocks), .block = block};
}

/// 0, 1, ..., n - 1.
row_numbers every_row(std::size_t n);

/// The elements column[rows[0]], column[rows[1]], ... as a new column.
any_column fetch_rows(const any_column& column, const row_numbers& rows);
/// The same of each column.
table fetch_rows(const table& t, const row_numbers& rows);

}  // namespace gs::inline GS_FLAVOUR::detail
