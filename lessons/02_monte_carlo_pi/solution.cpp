// Exercise 02: pi by throwing darts. Fill in the marked places; ./gridstride check 02 says what is still missing.

#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "runtime/gs.h"

// 1. Throw `darts` darts at the unit square, x first, then y, each by gs::uniform_float64(stream), and count those with
// x * x + y * y <= 1.
std::uint64_t hits(gs::random_state stream, std::uint64_t darts) {
  // Your turn.
  std::uint64_t count = 0;
  for (std::uint64_t k = 0; k < darts; ++k) {
    const double x = gs::uniform_float64(stream), y = gs::uniform_float64(stream);
    count += x * x + y * y <= 1;
  }
  return count;
  //= static_cast<void>(stream);
  //= return darts;
  // Until here.
}

// 2. `hits` hits among `darts` darts give an estimate of pi. How many standard errors is it off? The standard error is
// sqrt(pi * (4 - pi) / darts). The result isn't negative.
double standard_errors_off(std::uint64_t hits, std::uint64_t darts) {
  constexpr double pi = std::numbers::pi;
  // Your turn.
  const auto n = static_cast<double>(darts);
  return std::abs(4 * static_cast<double>(hits) / n - pi) / std::sqrt(pi * (4 - pi) / n);
  //= return 4 * static_cast<double>(hits / (darts + 1)) - pi;
  // Until here.
}

// Calls body(0), ..., body(pieces - 1) on all cores, in any order, and returns when all are done.
template <class F>
void on_all_cores(unsigned pieces, F body) {
  gs::for_pieces(pieces, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) body(static_cast<unsigned>(k));
  });
}

// 3. The hits of `darts` darts, which are thrown in pieces. Each piece has a stream of its own: piece k begins with
// gs::random_state_at(seed, k). Each holds darts / pieces of them, and the first few one more if they don't divide
// evenly. No two pieces may write the same variable.
std::uint64_t hits_of_pieces(std::uint64_t darts, std::uint64_t seed, unsigned pieces) {
  // Your turn.
  std::vector<std::uint64_t> counted(pieces);
  on_all_cores(pieces, [&](unsigned k) {
    const std::uint64_t mine = darts / pieces + (k < darts % pieces);
    counted[k] = hits(gs::random_state_at(seed, k), mine);
  });
  std::uint64_t sum = 0;
  for (const std::uint64_t one : counted) sum += one;
  return sum;
  //= on_all_cores(pieces, [&](unsigned) {});
  //= return hits(gs::random_state_at(seed, 0), darts);
  // Until here.
}
