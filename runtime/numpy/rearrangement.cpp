#include "runtime/numpy/rearrangement.h"

#include <fmt/format.h>

namespace gs::inline GS_FLAVOUR::detail {

void check_joined(const shape& first, const shape& other, axis along, std::size_t number) {
  bool fits = first.rank() == other.rank();
  const std::size_t joined = split_at(first, along).number;
  for (std::size_t d = 0; fits && d < first.rank(); ++d) fits = d == joined || first[d] == other[d];
  if (fits) return;
  throw error(fmt::format("concatenate along axis {}", joined),
              fmt::format("array 1 has the shape {}, and array {} has {}", to_string(first), number, to_string(other)),
              "all extents but that of the axis must be equal");
}

void check_stacked(const shape& first, const shape& other, std::size_t number) {
  if (first == other) return;
  throw error("stack arrays",
              fmt::format("array 1 has the shape {}, and array {} has {}", to_string(first), number, to_string(other)),
              "give arrays of one shape, or join them with gs::concatenate");
}

std::vector<std::size_t> checked_order(const shape& extents, std::initializer_list<std::size_t> axes) {
  std::vector<std::size_t> order(axes);
  if (order.empty())
    for (std::size_t d = extents.rank(); d-- > 0;) order.push_back(d);
  std::vector<bool> seen(extents.rank());
  bool fits = order.size() == extents.rank();
  for (std::size_t d : order) {
    fits = fits && d < seen.size() && !seen[d];
    if (fits) seen[d] = true;
  }
  if (!fits)
    throw error(fmt::format("transpose an array of shape {}", to_string(extents)),
                fmt::format("the axes are {{{}}}", fmt::join(order, ", ")),
                extents.rank() == 0 ? std::string("name none: a scalar has no axis")
                                    : fmt::format("name each axis from 0 to {} once", extents.rank() - 1));
  return order;
}

void refuse_position(std::int64_t position, std::size_t length) {
  if (length == 0)
    throw error("take elements by position", fmt::format("position {} of an axis with no elements", position),
                "give no positions, or an array that has elements");
  throw error("take elements by position", fmt::format("position {} of an axis with {} elements", position, length),
              fmt::format("positions go from {} to {}", -static_cast<std::int64_t>(length),
                          static_cast<std::int64_t>(length) - 1));
}

}  // namespace gs::inline GS_FLAVOUR::detail
