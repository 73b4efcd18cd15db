#include <algorithm>

#include "bench/peers/peers.h"
#include "bench/peers/vector_loop.h"

namespace bench::peers {

void transpose(std::span<const float> x, std::span<float> out, std::size_t rows, std::size_t columns, stores how) {
  // A tile is read along its rows into a buffer in the L1 cache, and from there written along its columns: a whole
  // cache line of the output at a time.
  constexpr std::size_t high = 16, wide = 64;
  const bool streams = how == stores::streaming && can_stream(out.data()) && rows % (sizeof(line) / sizeof(float)) == 0;
#pragma omp parallel
  {
    alignas(sizeof(line)) float buffer[wide][high];
#pragma omp for schedule(static) collapse(2) nowait
    for (std::size_t top = 0; top < rows; top += high)
      for (std::size_t left = 0; left < columns; left += wide) {
        const std::size_t height = std::min(high, rows - top), width = std::min(wide, columns - left);
        for (std::size_t r = 0; r < height; ++r)
          for (std::size_t c = 0; c < width; ++c) buffer[c][r] = x[(top + r) * columns + left + c];
        for (std::size_t c = 0; c < width; ++c) {
          float* to = out.data() + (left + c) * rows + top;
          if (streams)
            stream_lines(to, buffer[c], height * sizeof(float));
          else
            std::copy_n(buffer[c], height, to);
        }
      }
    streaming_fence();
  }
}

}  // namespace bench::peers
