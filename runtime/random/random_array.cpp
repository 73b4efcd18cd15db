#include "runtime/random/random_array.h"

#include "runtime/core/error.h"

namespace gs::inline GS_FLAVOUR::detail {

void refuse_integer_range(const std::string& low, const std::string& high) {
  throw error("random integers from " + low + " to " + high, "there is none: the second is smaller",
              "give the smallest one first; both are included");
}

}  // namespace gs::inline GS_FLAVOUR::detail
