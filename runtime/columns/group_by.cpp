#include "runtime/columns/group_by.h"

#include <array>
#include <type_traits>

#include "runtime/columns/column_errors.h"
#include "runtime/columns/key_ordinals.h"
#include "runtime/columns/row_numbers.h"
#include "runtime/columns/segments.h"
#include "runtime/kernel/grid_stride.h"
#include "runtime/kernel/thread.h"
#include "runtime/launch/launch.h"

namespace gs::inline GS_FLAVOUR {
namespace detail {

// to[i] = from[rows[i]], converted: to a wider type, or back to the one it came from.
template <class From, class To>
GS_FN void fetch_converted(thread t, view<const From> from, view<const std::uint32_t> rows, view<To> to) {
  for (auto i : t.grid_stride(rows.size())) to[i] = static_cast<To>(from[rows[i]]);
}
template <class From, class To>
GS_FN void convert_elements(thread t, view<const From> from, view<To> to) {
  for (auto i : t.grid_stride(from.size())) to[i] = static_cast<To>(from[i]);
}
GS_FN void divide_sums(thread t, view<double> sums, view<const std::int64_t> counts) {
  for (auto g : t.grid_stride(sums.size())) sums[g] /= static_cast<double>(counts[g]);
}

// What sums of T are computed in.
template <class T>
using wide_t = std::conditional_t<std::is_floating_point_v<T>, double,
                                  std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>;

// One aggregation after the other, over rows in the order of their keys.
class group_reduction {
 public:
  group_reduction(const sorted_keys& sorted, const segments& groups) : sorted_(sorted), groups_(groups) {}

  any_column keys() const { return fetch_rows(sorted_.keys, groups_.starts); }

  any_column aggregated(const table& t, const aggregation& a) const;

 private:
  template <class A, class T>
  device_array<A> in_order(const device_array<T>& values) const {
    device_array<A> ordered(values.size());
    launch<fetch_converted<T, A>>(launch_over(values.size()), values, sorted_.rows, ordered);
    return ordered;
  }
  template <class T, class A>
  device_array<T> converted(const device_array<A>& from) const {
    device_array<T> to(from.size());
    launch<convert_elements<A, T>>(launch_over(from.size()), from, to);
    return to;
  }
  template <class T>
  device_array<double> mean(const device_array<T>& values) const {
    auto sums = reduce_segments(groups_, in_order<double>(values), aggregate::sum);
    launch<divide_sums>(launch_over(sums.size()), sums, lengths_of(groups_));
    return sums;
  }

  const sorted_keys& sorted_;
  const segments& groups_;
};

// Out of the class: clang loses the instantiations of member templates that are defined behind where a call deduces its
// type by them.
any_column group_reduction::aggregated(const table& t, const aggregation& a) const {
  if (a.operation == aggregate::count) return lengths_of(groups_);
  return with_column(t.any(a.column), [&]<class T>(const device_array<T>& values) -> any_column {
    if (a.operation == aggregate::mean) return mean(values);
    auto reduced = reduce_segments(groups_, in_order<wide_t<T>>(values), a.operation);
    if (a.operation == aggregate::sum) return reduced;
    if constexpr (std::is_same_v<T, wide_t<T>>)
      return reduced;
    else
      return converted<T>(reduced);
  });
}

std::string name_of(const aggregation& a) {
  if (!a.name.empty()) return a.name;
  if (a.operation == aggregate::count) return "count";
  constexpr std::array words{"sum", "mean", "min", "max"};
  return a.column + "_" + words.at(static_cast<std::size_t>(a.operation));
}

}  // namespace detail

table group_by(const table& t, std::string_view key, const std::vector<aggregation>& aggregations) {
  const detail::any_column& keys = t.any(key);
  for (const aggregation& a : aggregations)
    if (a.operation != aggregate::count || !a.column.empty()) t.any(a.column);  // before anything is queued
  detail::check_row_count("group_by", t.rows());
  const detail::sorted_keys sorted = detail::sort_keys(keys);
  const detail::segments groups = detail::segments_of(detail::ordinals_of(sorted.keys));
  const detail::group_reduction reduction(sorted, groups);
  table result;
  result.add_column(std::string(key), reduction.keys());
  for (const aggregation& a : aggregations) result.add_column(detail::name_of(a), reduction.aggregated(t, a));
  return result;
}

}  // namespace gs::inline GS_FLAVOUR
