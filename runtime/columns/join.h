#pragma once
// gs::join: rows of two tables that have the same key.

#include <string_view>

#include "runtime/columns/table.h"
#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR {

/// A row for each pair of rows, one of each table, whose keys are equal (an inner join): the columns of `left`, then
/// those of `right` without the key. In the order of `left`; the matches of one of its rows in the order of `right`.
/// All NaNs are equal, as in gs::sort_by, and so are -0.0 and 0.0.
///
/// By sort: the keys of `right` are sorted, and each row of `left` finds its matches by bisection; a scan says where
/// they go. Best with the larger table on the left. Waits for the default stream, since the number of rows isn't known
/// before. Throws gs::error as table::column does, if the keys' types differ, if both tables have another column of one
/// name, and for over 4,294,967,295 rows in either table or in the result.
table join(const table& left, const table& right, std::string_view key);

}  // namespace gs::inline GS_FLAVOUR
