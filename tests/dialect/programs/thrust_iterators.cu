// Thrust's iterators.
#include <thrust/device_vector.h>
#include <thrust/extrema.h>
#include <thrust/functional.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/transform.h>
#include <thrust/tuple.h>

#include "check.cuh"

struct square {
  __host__ __device__ long long operator()(int x) const { return (long long)x * x; }
};
struct saxpy {
  float a;
  __host__ __device__ float operator()(float x, float y) const { return a * x + y; }
};
void iterators() {
  thrust::device_vector<int> x(100), keys(100), found(100), sums(100);
  const auto first = thrust::make_counting_iterator(0);
  thrust::transform(first, first + 100, x.begin(), thrust::negate<int>());
  expect_equal((int)x[99], -99, "a counting_iterator");
  const auto squares = thrust::make_transform_iterator(first, square());
  expect_equal(thrust::reduce(squares, squares + 100), 328350, "a transform_iterator");
  thrust::device_vector<int> every_third(33);
  thrust::transform(first, first + 33, thrust::make_constant_iterator(3), every_third.begin(),
                    thrust::multiplies<int>());
  const auto permuted = thrust::make_permutation_iterator(x.begin(), every_third.begin());
  expect_equal(thrust::reduce(permuted, permuted + 33), -1584, "a permutation_iterator");
  const auto pairs = thrust::make_zip_iterator(thrust::make_tuple(first, x.begin()));
  expect_equal((int)thrust::get<1>(pairs[5]), -5, "a zip_iterator");
  for (int i = 0; i < 100; ++i) keys[i] = i / 30;
  const auto ends =
      thrust::reduce_by_key(keys.begin(), keys.end(), thrust::make_constant_iterator(1), found.begin(), sums.begin());
  expect_equal(ends.first - found.begin(), 4, "the keys of reduce_by_key");
  expect(sums[0] == 30 && sums[3] == 10, "reduce_by_key");
  expect_equal(thrust::max_element(x.begin(), x.end()) - x.begin(), 0, "max_element");
  thrust::device_vector<float> u(50, 2.0f), v(50, 1.0f);
  thrust::transform(u.begin(), u.end(), v.begin(), v.begin(), saxpy{3});
  expect_equal(thrust::inner_product(u.begin(), u.end(), v.begin(), 0.0f), 700, "transform and inner_product");
}

int main() {
  iterators();
  return failures();
}
