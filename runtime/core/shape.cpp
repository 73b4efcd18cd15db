#include "runtime/core/shape.h"

#include <fmt/format.h>

#include "runtime/core/error.h"

namespace gs::inline GS_FLAVOUR {

std::size_t shape::size() const {
  std::size_t elements = 1;
  bool too_large = false;
  for (std::size_t extent : *this) {
    if (extent == 0) return 0;
    too_large |= __builtin_mul_overflow(elements, extent, &elements);
  }
  if (too_large)
    throw error(fmt::format("an array of shape {}", to_string(*this)), "more elements than a 64-bit size can count",
                "ask for smaller extents");
  return elements;
}

void shape::push_back(std::size_t extent) {
  if (rank_ == max_rank)
    throw error("a shape", fmt::format("more than {} dimensions", max_rank), "merge dimensions with reshape");
  extents_[rank_++] = extent;
}

shape shape::without(std::size_t d) const {
  shape result;
  for (std::size_t i = 0; i < rank_; ++i)
    if (i != d) result.push_back(extents_[i]);
  return result;
}

void shape::refuse_negative(long long extent) {
  throw error("a shape", fmt::format("an extent of {}", extent), "extents are 0 or more");
}

std::string to_string(const shape& s) {
  if (s.rank() == 1) return fmt::format("({},)", s[0]);
  return fmt::format("({})", fmt::join(s.begin(), s.end(), ", "));
}

}  // namespace gs::inline GS_FLAVOUR
