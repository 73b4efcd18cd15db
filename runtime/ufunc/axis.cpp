#include "runtime/ufunc/axis.h"

#include <fmt/format.h>

#include "runtime/core/error.h"

namespace gs::inline GS_FLAVOUR::detail {

axis_split split_at(const shape& s, axis along) {
  const auto rank = static_cast<int>(s.rank());
  const int number = along.number < 0 ? along.number + rank : along.number;
  if (number < 0 || number >= rank)
    throw error(
        fmt::format("axis {}", along.number), fmt::format("the array's shape is {}", to_string(s)),
        rank == 0 ? std::string("a scalar has no axis") : fmt::format("use an axis of {} to {}", -rank, rank - 1));
  axis_split split{1, s[static_cast<std::size_t>(number)], 1, static_cast<std::size_t>(number)};
  for (std::size_t d = 0; d < s.rank(); ++d) {
    if (d < split.number) split.outer *= s[d];
    if (d > split.number) split.inner *= s[d];
  }
  return split;
}

void refuse_empty_reduction(const shape& s) {
  throw error("a reduction",
              fmt::format("the array's shape is {}: 0 elements, and no value to start with", to_string(s)),
              "give one with gs::initial(value), or to gs::reduce as its second argument");
}

void check_reduced_output(const shape& out) {
  if (out.size() != 1)
    throw error(fmt::format("an output of shape {}", to_string(out)), "a reduction of all elements gives one",
                "give an array of one element");
}

}  // namespace gs::inline GS_FLAVOUR::detail
