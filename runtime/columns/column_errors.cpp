#include "runtime/columns/column_errors.h"

#include <fmt/format.h>

#include <limits>
#include <string>

#include "runtime/core/error.h"

namespace gs::inline GS_FLAVOUR::detail {

void check_row_count(std::string_view call, std::uint64_t rows) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  if (rows > most)
    throw error(std::string(call), fmt::format("{} rows", rows),
                fmt::format("work on at most {} rows at a time", most));
}

void check_flags(const table& t, const shape& flags) {
  if (flags.rank() != 1 || flags.size() != t.rows())
    throw error(fmt::format("filter of {} rows", t.rows()), "the flags' shape is " + to_string(flags),
                "give one flag for each row");
}

void check_join(const table& left, const table& right, std::string_view key) {
  if (const std::string type = left.dtype(key), other = right.dtype(key); type != other)
    throw error(fmt::format("a join by \"{}\"", key),
                fmt::format("the left key's type is {}, the right one's {}", type, other), "convert one of the two");
  for (const std::string& name : right.names())
    if (name != key && left.has(name))
      throw error(fmt::format("a join by \"{}\"", key), fmt::format("both tables have a column \"{}\"", name),
                  "rename one of the two, or select the columns that you need");
  check_row_count("a join", left.rows());
  check_row_count("a join", right.rows());
}

}  // namespace gs::inline GS_FLAVOUR::detail
