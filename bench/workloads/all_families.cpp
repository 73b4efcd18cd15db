// The sizes at which the growth of a workload's cost is measured, from a few thousand elements, where all that counts
// is the cost of a start, over what the caches hold, to what only memory has room for.
#include <initializer_list>
#include <utility>

#include "bench/workloads/workloads.h"

namespace bench {

#if GRIDSTRIDE_CHECKED

std::vector<family> all_families(std::size_t) { return {}; }

#else

namespace {

// A workload may round its size.
template <class F>
family at_sizes(std::initializer_list<std::size_t> sizes, F factory) {
  family result;
  for (const std::size_t size : sizes)
    if (workload w = factory(size); result.empty() || w.elements > result.back().elements)
      result.push_back(std::move(w));
  return result;
}

}  // namespace

std::vector<family> all_families(std::size_t elements) {
  const bool quick = elements < 10'000'000;
  const auto of_arrays = [quick](auto factory) {
    return quick ? at_sizes({1'000, 3'000}, factory) : at_sizes({1'000, 30'000, 1'000'000}, factory);
  };
  const auto of_smaller_arrays = [quick](auto factory) {
    return quick ? at_sizes({1'000, 3'000}, factory) : at_sizes({1'000, 10'000, 100'000}, factory);
  };
  const auto of_squares = [quick](auto factory) {
    return quick ? at_sizes({16, 32}, factory) : at_sizes({64, 192, 512}, factory);
  };
  return {of_arrays(gaussian_pdf),
          of_arrays(neural_layer),
          of_arrays(add),
          of_arrays(add_host_arrays),
          of_arrays(copy_to_device),
          of_arrays(zero_suppress),
          of_smaller_arrays(hypot),
          of_smaller_arrays(polar_distance),
          of_smaller_arrays(make_pulses),
          of_smaller_arrays([](std::size_t n) { return l2_norm(n, 2); }),
          of_smaller_arrays([](std::size_t n) { return l2_norm(n / 100, 1000); }),
          of_smaller_arrays([](std::size_t n) { return matmul_of_each(n / 1000, 32); }),
          of_arrays(reduce),
          of_arrays(product_and_reduce),
          of_arrays(pi),
          of_smaller_arrays(random_states),
          of_squares([](std::size_t n) { return transpose(4 * n, 5 * n); }),
          of_squares(gemm),
          of_squares(matmul),
          of_squares(fft2),
          of_squares([](std::size_t n) { return fft_mask(n, n); }),
          of_arrays(sort),
          of_squares([](std::size_t n) { return diffusion(2 * n, false); }),
          of_arrays([](std::size_t n) { return histogram(n, 10, histogram_data::uniform); }),
          of_arrays([](std::size_t n) { return histogram(n, 1000, histogram_data::normal); })};
}

#endif

}  // namespace bench
