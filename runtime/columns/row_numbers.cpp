#include "runtime/columns/row_numbers.h"

#include <string>

#include "runtime/kernel/grid_stride.h"
#include "runtime/kernel/thread.h"
#include "runtime/launch/launch.h"

namespace gs::inline GS_FLAVOUR::detail {

GS_FN void write_row_numbers(thread t, view<std::uint32_t> rows) {
  for (auto i : t.grid_stride(rows.size())) rows[i] = static_cast<std::uint32_t>(i);
}

template <class T>
GS_FN void fetch_elements(thread t, view<const T> from, view<const std::uint32_t> rows, view<T> to) {
  for (auto i : t.grid_stride(rows.size())) to[i] = from[rows[i]];
}

row_numbers every_row(std::size_t n) {
  row_numbers rows(n);
  launch<write_row_numbers>(launch_over(n), rows);
  return rows;
}

any_column fetch_rows(const any_column& column, const row_numbers& rows) {
  return with_column(column, [&]<class T>(const device_array<T>& from) -> any_column {
    device_array<T> to(rows.size());
    launch<fetch_elements<T>>(launch_over(rows.size()), from, rows, to);
    return to;
  });
}

table fetch_rows(const table& t, const row_numbers& rows) {
  table fetched;
  for (const std::string& name : t.names()) fetched.add_column(name, fetch_rows(t.any(name), rows));
  return fetched;
}

}  // namespace gs::inline GS_FLAVOUR::detail
