#pragma once
// gs::group_by: rows of equal keys together, and numbers that say something of each group.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/columns/table.h"
#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR {

/// What group_by says of a group's elements.
enum class aggregate : std::uint8_t { sum, mean, min, max, count };

/// One column of group_by's result: `{"charge", gs::aggregate::mean}`.
struct aggregation {
  std::string column;                    ///< of which; of `count` it may be empty
  aggregate operation = aggregate::sum;  ///< the number
  std::string name = {};                 ///< of the result; if empty, the two words: "charge_mean", and "count"
};

/// A row for each different key, in ascending order: a column of keys, and one for each aggregation. All NaNs are one
/// key, the last; -0.0 and 0.0 are one. Sums are int64 of signed integers, uint64 of unsigned ones and bools (both wrap
/// around), float64 of float32 and float64; means are float64, of every type; counts are int64; a least or greatest
/// element has its column's type, and is NaN where one of them is, as NumPy's.
///
/// By sort and segmented reduction: the keys are sorted, a scan finds where groups begin, and each group is reduced in
/// pieces of 1,024 rows, so that one large group is shared out among all threads. The order of additions depends on the
/// rows alone: the same bits with any number of cores, and every time. Waits for the default stream, since the number
/// of groups isn't known before. Throws gs::error as table::column does, for results of one name, and for over
/// 4,294,967,295 rows.
table group_by(const table& t, std::string_view key, const std::vector<aggregation>& aggregations);

}  // namespace gs::inline GS_FLAVOUR
