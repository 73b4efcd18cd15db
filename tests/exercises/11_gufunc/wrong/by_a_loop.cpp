// expect: all distances of 4 points, all of which come from the device
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
  float sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
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
  const xt::xtensor<float, 1> of_their_own = distance(points, points);
  xt::xtensor<float, 2> result = xt::zeros<float>({points.shape(0), points.shape(0)});
  for (std::size_t i = 0; i < points.shape(0); ++i)
    for (std::size_t k = 0; k < points.shape(0); ++k) {
      float sum = 0;
      for (std::size_t d = 0; d < points.shape(1); ++d)
        sum += (points(i, d) - points(k, d)) * (points(i, d) - points(k, d));
      result(i, k) = std::sqrt(sum);
    }
  return result;
  // Until here.
}
