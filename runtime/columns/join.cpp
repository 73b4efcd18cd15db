#include "runtime/columns/join.h"

#include "runtime/columns/column_errors.h"
#include "runtime/columns/key_ordinals.h"
#include "runtime/columns/row_numbers.h"
#include "runtime/kernel/grid_stride.h"
#include "runtime/kernel/thread.h"
#include "runtime/launch/launch.h"
#include "runtime/libraries/scan.h"

namespace gs::inline GS_FLAVOUR {
namespace detail {

// The first position whose element isn't less than x.
GS_FN std::size_t first_not_less(view<const std::uint64_t> ascending, std::uint64_t x) {
  std::size_t first = 0, size = ascending.size();
  while (size > 0) {
    const std::size_t half = size / 2;
    if (ascending[first + half] < x) {
      first += half + 1;
      size -= half + 1;
    } else {
      size = half;
    }
  }
  return first;
}

// How many elements from `first` on are x. In steps that double, and then by bisection: mostly there are few.
GS_FN std::size_t count_equal(view<const std::uint64_t> ascending, std::size_t first, std::uint64_t x) {
  std::size_t step = 1, equal = first;  // all before `equal` are x
  while (equal + step <= ascending.size() && ascending[equal + step - 1] == x) equal += step, step *= 2;
  for (; step > 0; step /= 2)
    if (equal + step <= ascending.size() && ascending[equal + step - 1] == x) equal += step;
  return equal - first;
}

GS_FN void find_matches(thread t, view<const std::uint64_t> left, view<const std::uint64_t> right,
                        view<std::uint32_t> first_match, view<std::uint64_t> counts) {
  for (auto i : t.grid_stride(left.size())) {
    const std::size_t first = first_not_less(right, left[i]);
    first_match[i] = static_cast<std::uint32_t>(first);
    counts[i] = count_equal(right, first, left[i]);
  }
}

// Rows of the result that a thread writes: it looks for the first one's row of the left table, and walks on from there.
inline constexpr std::size_t pairs_per_thread = 32;

// Pair j belongs to the row of the left table whose matches are the first to end after j.
GS_FN void write_pairs(thread t, view<const std::uint64_t> match_ends, view<const std::uint32_t> first_match,
                       view<const std::uint32_t> right_rows, view<std::uint32_t> of_left,
                       view<std::uint32_t> of_right) {
  const std::size_t pairs = of_left.size();
  for (auto share : t.grid_stride((pairs + pairs_per_thread - 1) / pairs_per_thread)) {
    const std::size_t begin = share * pairs_per_thread;
    const std::size_t end = begin + pairs_per_thread < pairs ? begin + pairs_per_thread : pairs;
    std::size_t row = first_not_less(match_ends, begin + 1);
    for (std::size_t j = begin; j < end; ++j) {
      while (match_ends[row] <= j) ++row;
      const std::size_t first_pair = row == 0 ? 0 : match_ends[row - 1];
      of_left[j] = static_cast<std::uint32_t>(row);
      of_right[j] = right_rows[first_match[row] + (j - first_pair)];
    }
  }
}

struct row_pairs {
  row_numbers of_left, of_right;
};

row_pairs matching_rows(const any_column& left, const any_column& right) {
  const sorted_keys sorted = sort_keys(right);
  const key_ordinals left_keys = ordinals_of(left), right_keys = ordinals_of(sorted.keys);
  const std::size_t rows = left_keys.size();
  device_array<std::uint32_t> first_match(rows);
  device_array<std::uint64_t> counts(rows);
  launch<find_matches>(launch_over(rows), left_keys, right_keys, first_match, counts);
  const auto match_ends = inclusive_sum(counts);
  const std::uint64_t pairs = rows == 0 ? 0 : match_ends.slice(rows - 1, rows).copy_to_host()[0];
  check_row_count("the result of a join", pairs);
  row_pairs result{row_numbers(pairs), row_numbers(pairs)};
  launch<write_pairs>(launch_over(pairs / pairs_per_thread, 32), match_ends, first_match, sorted.rows, result.of_left,
                      result.of_right);
  return result;
}

}  // namespace detail

table join(const table& left, const table& right, std::string_view key) {
  detail::check_join(left, right, key);
  const auto [of_left, of_right] = detail::matching_rows(left.any(key), right.any(key));
  table joined = detail::fetch_rows(left, of_left);
  for (const std::string& name : right.names())
    if (name != key) joined.add_column(name, detail::fetch_rows(right.any(name), of_right));
  return joined;
}

}  // namespace gs::inline GS_FLAVOUR
