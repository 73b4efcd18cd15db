#include "runtime/engine/split_loop.h"

#include <bit>
#include <source_location>

#include "runtime/engine/scheduler_details.h"

namespace gs::inline GS_FLAVOUR::detail {

void check_that_threads_meet(std::string_view kernel, std::span<const unsigned> barriers,
                             std::span<const void* const> places) {
  using namespace scheduling;
  const auto place = [&](unsigned t) { return std::bit_cast<std::source_location>(places[barriers[t] - 1]); };
  unsigned first = 0;
  while (barriers[first] == 0) ++first;
  for (unsigned t = first + 1; t < barriers.size(); ++t)
    if (barriers[t] != 0 && !same_place(place(t), place(first)))
      throw wait_in_vain(kernel, waits_for_block(first, place(first), place(t)),
                         waits_for_block(t, place(t), place(first)));
}

}  // namespace gs::inline GS_FLAVOUR::detail
