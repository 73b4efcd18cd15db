// Warm-up for 04: the rule of broadcasting; ./gridstride check 04w says what is still missing.

#include <cstddef>
#include <optional>

// Two arrays have `a` and `b` elements along one dimension. How many does their sum have? std::nullopt if
// they don't fit.
std::optional<std::size_t> extent_of_sum(std::size_t a, std::size_t b) {
  // Your turn.
  if (a == b || b == 1) return a;
  if (a == 1) return b;
  return std::nullopt;
  //= return a > b ? a : b;
  // Until here.
}
