#include "runtime/core/shape.h"

#include <fmt/format.h>

#include "runtime/core/error.h"

namespace gs::inline GS_FLAVOUR {

void shape::refuse_size() const {
  throw error(fmt::format("an array of shape {}", to_string(*this)), "more elements than a 64-bit size can count",
              "ask for smaller extents");
}

void shape::refuse_rank() {
  throw error("a shape", fmt::format("more than {} dimensions", max_rank), "merge dimensions with reshape");
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
