#pragma once
// gs::filter and gs::sort_by: rows of a table that are wanted, and all of them in another order.

#include <string_view>

#include "runtime/columns/table.h"
#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR {

/// The rows whose flag is true, in their order, as a new table: a ufunc that returns bool makes the flags,
/// `gs::filter(t, is_large(t.column<float>("charge"), 5.0f))`. Waits for the default stream, since the number of rows
/// isn't known before. Throws gs::error unless there is one flag for each row, and for over 4,294,967,295 rows.
table filter(const table& t, const device_array<bool>& flags);

/// The table in ascending order of a column, NaNs last, as a new table; queued on the default stream. Stable: rows of
/// equal keys keep their order, and so do -0.0 and 0.0, which are equal, and NaNs. Throws gs::error as table::column
/// does, and for over 4,294,967,295 rows.
table sort_by(const table& t, std::string_view name);

}  // namespace gs::inline GS_FLAVOUR
