// expect: streams that were used
// Exercise 34: a pipeline. More numbers than the device has room for go through it in pieces, each by way of a buffer
// and a stream of its own. Fill in the marked places; ./gridstride check 34 says what is still missing.

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "runtime/gs.h"

GS_FN void take_halves(gs::thread t, gs::view<float> x) {
  for (auto i : t.grid_stride(x.size())) x[i] = 0.5f * x[i];
}

// A buffer on the device, and the stream that it belongs to.
struct stage {
  gs::stream stream;
  gs::device_array<float> buffer;
};

// Half of each number of `in`, to `out`. Pieces are as long as a buffer, and take the stages in turn: 0, 1, ..., 0, 1,
// ... All buffers have the same length; `in` may be longer or shorter than all of them together, and empty.
void halves_in_pieces(const gs::pinned_array<float>& in, gs::pinned_array<float>& out, std::vector<stage>& stages) {
  const std::size_t piece = stages[0].buffer.size();
  for (std::size_t first = 0, k = 0; first < in.size(); first += piece, ++k) {
    // 1. Which stage is next, and how many numbers are left for it?
    // Your turn.
    stage& mine = stages[first % stages.size()];
    const std::size_t count = std::min(piece, in.size() - first);
    // Until here.
    auto part = mine.buffer.slice(0, count);
    // 2. Copy in, launch, copy out, so that the host goes on at once and the three run in this order.
    // Your turn.
    part.copy_from_host(std::span(in).subspan(first, count), mine.stream);
    gs::launch<take_halves>({.grid = 4, .block = 64, .stream = mine.stream}, part);
    part.copy_to_host(std::span(out).subspan(first, count), mine.stream);
    // Until here.
  }
  // 3. Whoever called this function reads `out` next. What has to be waited for?
  // Your turn.
  for (stage& one : stages) one.stream.synchronize();
  // Until here.
}
