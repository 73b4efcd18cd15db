// expect: outside shape
// Exercise 11: generalised ufuncs. Fill in the marked places; ./gridstride check 11 says what is still missing.

#include <cmath>
#include <cstddef>
#include <xtensor/xadapt.hpp>
#include <xtensor/xtensor.hpp>

#include "runtime/array/xtensor.h"
#include "runtime/gs.h"

// 1. The distance of two points of any number of dimensions.
GS_FN void distance_of(gs::view<const float> a, gs::view<const float> b, float& distance) {
  // Your turn.
  float sum = (a[0] - b[0]) * (a[0] - b[0]);
  for (std::size_t i = 1; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  distance = std::sqrt(sum);
  // Until here.
}
inline constexpr auto distance = gs::guvectorize<distance_of, "(i),(i)->()">;

// 2. A matrix times a vector: apply(matrix, x) is y with y[m] the sum of matrix(m, n) * x[n] over n. It must also take
// many matrices, many vectors, or both: (k, m, n) and (k, n) give (k, m).
// Your turn: the layout is part of it.
GS_FN void applied_to(gs::view<const float, 2> matrix, gs::view<const float> x, gs::view<float> y) {
  for (std::size_t m = 0; m < y.size(); ++m) {
    y[m] = 0;
    for (std::size_t n = 0; n < x.size(); ++n) y[m] += matrix(m, n) * x[n];
  }
}
inline constexpr auto apply = gs::guvectorize<applied_to, "(m,n),(n)->(m)">;
// Until here.

// 3. How far is every point from every other? Of n points, one in each row, element (i, k) of the result is the
// distance of point i from point k. One call of `distance`; the points may be seen in another shape, by
// xt::reshape_view(points, {...}), kept in an xt::xtensor<float, 3>.
xt::xtensor<float, 2> all_distances(const xt::xtensor<float, 2>& points) {
  // Your turn.
  const xt::xtensor<float, 3> one_per_plane =
      xt::reshape_view(points, {points.shape(0), std::size_t{1}, points.shape(1)});
  return distance(one_per_plane, points);
  // Until here.
}
