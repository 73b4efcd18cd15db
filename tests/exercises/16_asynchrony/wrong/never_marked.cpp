// expect: race between streams
// Exercise 16: what waits for what; ./gridstride check 16 says what is still missing.

#include "runtime/gs.h"

GS_FN void make_squares(gs::thread t, gs::view<const float> x, gs::view<float> squares) {
  for (auto i : t.grid_stride(squares.size())) squares[i] = x[i] * x[i];
}
GS_FN void turn_round(gs::thread t, gs::view<const float> squares, gs::view<float> turned) {
  for (auto i : t.grid_stride(turned.size())) turned[i] = squares[turned.size() - 1 - i];
}

// Squares are made in one stream and read in another. Nothing says that the reader comes second. Let it wait for the
// maker: the stream, not the host, which has other work to do.
void turned_squares(const gs::device_array<float>& x, const gs::device_array<float>& squares,
                    const gs::device_array<float>& turned, gs::stream& maker, gs::stream& reader) {
  gs::launch<make_squares>({.grid = 4, .block = 64, .stream = maker}, x, squares);
  // Your turn: between the two launches.
  gs::event made;
  reader.wait(made);
  // Until here.
  gs::launch<turn_round>({.grid = 4, .block = 64, .stream = reader}, squares, turned);
}
