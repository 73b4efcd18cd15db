#include "runtime/libraries/spmv.h"

#include <fmt/format.h>

#include <limits>

#include "runtime/core/error.h"
#include "runtime/libraries/library_call.h"
#include "runtime/libraries/spmv_call.h"

namespace gs::inline GS_FLAVOUR::detail {

void check_csr(const shape& extents, std::span<const int> starts, std::span<const int> columns, std::size_t values) {
  const auto refuse = [&](const std::string& found, const std::string& advice) {
    throw error(fmt::format("a sparse matrix of shape {}", to_string(extents)), found, advice);
  };
  if (extents.rank() != 2) refuse(fmt::format("its rank is {}", extents.rank()), "give {rows, columns}");
  for (const std::size_t extent : extents)
    if (extent > std::numeric_limits<int>::max())
      refuse(fmt::format("an extent of {}", extent), "use extents of at most 2147483647");
  if (starts.size() != extents[0] + 1)
    refuse(fmt::format("{} starts of rows", starts.size()),
           fmt::format("give {}: one for each row, and the end of the last", extents[0] + 1));
  if (columns.size() != values)
    refuse(fmt::format("{} columns and {} values", columns.size(), values), "give one column for each value");
  if (starts[0] != 0) refuse(fmt::format("row 0 starts at {}", starts[0]), "let it start at 0");
  for (std::size_t row = 0; row < extents[0]; ++row)
    if (starts[row + 1] < starts[row])
      refuse(fmt::format("row {} starts at {} and ends at {}", row, starts[row], starts[row + 1]),
             "let no row end before it starts");
  if (static_cast<std::size_t>(starts.back()) != values)
    refuse(fmt::format("the last row ends at {}, with {} values", starts.back(), values),
           "let it end at the number of values");
  for (std::size_t k = 0; k < columns.size(); ++k)
    if (columns[k] < 0 || static_cast<std::size_t>(columns[k]) >= extents[1])
      refuse(fmt::format("value {} is in column {}", k, columns[k]),
             fmt::format("count columns from 0 to {}", static_cast<long long>(extents[1]) - 1));
}

template <class T>
void queue_spmv(const csr_matrix<T>& a, const device_array<T>& x, const device_array<T>& y,
                const spmv_options<T>& options) {
  a.starts().memory(), a.columns().memory(), a.values().memory(), x.memory(), y.memory();
  const std::size_t rows = a.shape()[0], columns = a.shape()[1];
  const auto refuse = [&](const std::string& found, const std::string& advice) {
    throw error(fmt::format("spmv of a matrix of shape {} and an array of shape {}", to_string(a.shape()),
                            to_string(x.shape())),
                found, advice);
  };
  if (!(x.shape() == shape(columns)))
    refuse(fmt::format("the matrix has {} columns", columns),
           "give an array of rank 1 with one element for each column");
  if (!(y.shape() == shape(rows)))
    refuse(fmt::format("the output's shape is {}", to_string(y.shape())),
           fmt::format("give an output of shape ({},)", rows));
  if (share_memory(x, y))
    refuse("the output shares memory with the array, which is read again after it was overwritten",
           "give an output of its own");
  queue_library_call(options.stream, spmv_call<T>{.rows = rows,
                                                  .columns = columns,
                                                  .stored = a.stored(),
                                                  .alpha = options.alpha,
                                                  .beta = options.beta,
                                                  .starts = a.starts().data(),
                                                  .column_of = a.columns().data(),
                                                  .values = a.values().data(),
                                                  .x = x.data(),
                                                  .y = y.data()});
}
template void queue_spmv(const csr_matrix<float>&, const device_array<float>&, const device_array<float>&,
                         const spmv_options<float>&);
template void queue_spmv(const csr_matrix<double>&, const device_array<double>&, const device_array<double>&,
                         const spmv_options<double>&);

}  // namespace gs::inline GS_FLAVOUR::detail
