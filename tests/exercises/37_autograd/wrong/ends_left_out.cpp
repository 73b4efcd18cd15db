// expect: adjoint of x, n =
// Exercise 37: derivatives by hand. A rule is missing, and two adjoints have a bug that no run shows every time;
// ./gridstride check 37 says what the instruments see.

#include <cstddef>

#include "runtime/gs.h"

// A number and its slope, as in the lesson.
struct sloped {
  double value, slope;
};

// 1. The rule of the quotient: the value of a / b, and its slope where a and b have theirs.
GS_FN sloped operator/(sloped a, sloped b) {
  // Your turn.
  return {a.value / b.value, (a.slope * b.value - a.value * b.slope) / (b.value * b.value)};
  // Until here.
}

// The number to the left of x[i] and the one to its right; an end is its own neighbour.
GS_FN std::size_t left_of(std::size_t i) { return i > 0 ? i - 1 : 0; }
GS_FN std::size_t right_of(std::size_t i, std::size_t n) { return i + 1 < n ? i + 1 : i; }

// Forward: a weighted sum of each number and its neighbours. It is right.
GS_FN void smooth(gs::thread t, gs::view<const float> w, gs::view<const float> x, gs::view<float> y) {
  for (auto i : t.grid_stride(x.size())) y[i] = w[0] * x[left_of(i)] + w[1] * x[i] + w[2] * x[right_of(i, x.size())];
}

// 2. Backward, to x: by_y[i] is how fast the loss changes with y[i], by_x[j] how fast it changes with x[j]. Each y[i]
// has read three numbers, so it gives something back to three. by_x holds zeros before. What is wrong with that?
// Your turn.
GS_FN void adjoint_of_x(gs::thread t, gs::view<const float> w, gs::view<const float> by_y, gs::view<float> by_x) {
  const std::size_t n = by_x.size();
  for (auto j : t.grid_stride(n))
    if (j > 0 && j + 1 < n) by_x[j] = w[0] * by_y[j + 1] + w[1] * by_y[j] + w[2] * by_y[j - 1];
}
// Until here.

// 3. Backward, to the three weights, which all threads have read; by_w holds zeros before. Each thread may change by_w
// three times, no more often.
// Your turn.
GS_FN void adjoint_of_w(gs::thread t, gs::view<const float> x, gs::view<const float> by_y, gs::view<float> by_w) {
  gs::local_array<float, 3> own = {};
  for (auto i : t.grid_stride(x.size())) {
    own[0] += by_y[i] * x[left_of(i)];
    own[1] += by_y[i] * x[i];
    own[2] += by_y[i] * x[right_of(i, x.size())];
  }
  for (unsigned k = 0; k < 3; ++k) gs::atomic_ref(by_w[k]).fetch_add(own[k]);
}
// Until here.
