// expect: row 0, column 3
// Exercise 27: a blur by a mask; ./gridstride check 27 says what is still missing.

#include <complex>

#include "runtime/gs.h"

using complex = std::complex<float>;
using image = gs::device_array<float>;

// Sets every wave to 0 that has more than `reach` periods down or across, in whichever direction. What stays is a
// blurred picture. Column c holds c periods across. Row r holds r periods down, but only in the upper half: the last
// row holds -1, the one before -2. Something is forgotten.
GS_FN void keep_slow_waves(gs::thread t, std::size_t reach, gs::view<complex, 2> s) {
  const std::size_t rows = s.extent(0);
  for (auto row : t.grid_stride_y(rows))
    for (auto column : t.grid_stride(s.extent(1))) {
      // Your turn.
      const std::size_t down = row < rows - row ? row : rows - row;
      if (down > reach) s(row, column) = 0;
      // Until here.
    }
}

image blurred(const image& frame, std::size_t reach) {
  const auto s = gs::rfft2(frame);
  gs::launch<keep_slow_waves>({.grid = {4, 8}, .block = {32, 4}}, reach, s);
  return gs::irfft2(s, frame.extent(1));
}
