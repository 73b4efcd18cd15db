// A selection on the engine: pieces count what they keep, a scan of the counts says where each of them writes, and all
// move their elements at once (G. E. Blelloch, "Prefix sums and their applications", 1990).
#include <algorithm>
#include <cstddef>
#include <vector>

#include "runtime/host/cores.h"
#include "runtime/libraries/select_call.h"
#include "runtime/libraries/value_type.h"
#include "runtime/observe/observe.h"

namespace gs::inline GS_FLAVOUR::detail {
namespace {

constexpr std::size_t select_piece = 1 << 14;

template <class V>
std::size_t select(const V* in, const std::uint8_t* flags, V* out, std::size_t n) {
  const std::size_t pieces = (n + select_piece - 1) / select_piece;
  const auto for_each_piece = [&](const auto& f) {
    for_pieces(pieces, 1, [&](std::size_t first, std::size_t last) {
      for (std::size_t p = first; p < last; ++p) f(p, p * select_piece, std::min(n, (p + 1) * select_piece));
    });
  };
  std::vector<std::size_t> places(pieces);
  for_each_piece([&](std::size_t p, std::size_t begin, std::size_t end) {
    places[p] =
        static_cast<std::size_t>(std::count_if(flags + begin, flags + end, [](auto flag) { return flag != 0; }));
  });
  std::size_t all = 0;
  for (std::size_t& place : places) {
    const std::size_t kept = place;
    place = all;
    all += kept;
  }
  for_each_piece([&](std::size_t p, std::size_t begin, std::size_t end) {
    V* to = out + places[p];
    for (std::size_t i = begin; i < end; ++i)
      if (flags[i] != 0) *to++ = in[i];
  });
  return all;
}

}  // namespace

void run_on_engine(const select_call& call) {
  instruments::name_work(call.name());
  instruments::note_read(call.in, call.size * call.element_bytes);
  instruments::note_read(call.flags, call.size);
  with_value_type(call.element_bytes, [&]<class V>() {
    *call.count = select(static_cast<const V*>(call.in), call.flags, static_cast<V*>(call.out), call.size);
  });
  instruments::note_written(call.out, *call.count * call.element_bytes);
  instruments::note_written(call.count, sizeof *call.count);
}

}  // namespace gs::inline GS_FLAVOUR::detail
