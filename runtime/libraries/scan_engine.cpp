// A scan on the engine, in three passes: each piece is scanned by itself, then the pieces' sums are, and what comes
// before a piece is added to all of it (G. E. Blelloch, "Prefix sums and their applications", 1990). Pieces have one
// size whatever the number of cores, so that floats are rounded the same everywhere.
#include <algorithm>
#include <cstddef>
#include <vector>

#include "runtime/host/cores.h"
#include "runtime/libraries/scan_call.h"
#include "runtime/observe/observe.h"

namespace gs::inline GS_FLAVOUR::detail {
namespace {

constexpr std::size_t piece = 4096;

// The sums within [in, in + n), and returns the last one. Reads an element before it writes there.
template <class T>
T scan_alone(scan_kind kind, const T* in, T* out, std::size_t n) {
  T sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const T before = sum;
    sum += in[i];
    out[i] = kind == scan_kind::inclusive ? sum : before;
  }
  return sum;
}

template <class T>
void scan(scan_kind kind, const T* in, T* out, std::size_t n) {
  const std::size_t pieces = (n + piece - 1) / piece;
  const auto for_each_piece = [&](const auto& f) {
    for_pieces(pieces, 4, [&](std::size_t first, std::size_t last) {
      for (std::size_t p = first; p < last; ++p) f(p, p * piece, std::min(n, (p + 1) * piece));
    });
  };
  std::vector<T> before(pieces);
  for_each_piece([&](std::size_t p, std::size_t begin, std::size_t end) {
    before[p] = scan_alone(kind, in + begin, out + begin, end - begin);
  });
  scan_alone(scan_kind::exclusive, before.data(), before.data(), pieces);
  for_each_piece([&](std::size_t p, std::size_t begin, std::size_t end) {
    if (p == 0) return;
    for (std::size_t i = begin; i < end; ++i) out[i] += before[p];
  });
}

}  // namespace

void run_on_engine(const scan_call& call) {
  instruments::name_work(call.name());
  instruments::note_read(call.in, call.size * call.element_bytes);
  instruments::note_written(call.out, call.size * call.element_bytes);
  with_sum_type(call, [&]<class T>() {
    scan(call.type.kind, static_cast<const T*>(call.in), static_cast<T*>(call.out), call.size);
  });
}

}  // namespace gs::inline GS_FLAVOUR::detail
