#include "runtime/columns/filter.h"

#include "runtime/columns/column_errors.h"
#include "runtime/columns/key_ordinals.h"
#include "runtime/columns/row_numbers.h"
#include "runtime/libraries/select.h"

namespace gs::inline GS_FLAVOUR {

table filter(const table& t, const device_array<bool>& flags) {
  detail::check_flags(t, flags.shape());
  detail::check_row_count("filter", t.rows());
  return detail::fetch_rows(t, select_flagged(detail::every_row(t.rows()), flags));
}

table sort_by(const table& t, std::string_view name) {
  const detail::any_column& keys = t.any(name);
  detail::check_row_count("sort_by", t.rows());
  return detail::fetch_rows(t, detail::sort_keys(keys).rows);
}

}  // namespace gs::inline GS_FLAVOUR
