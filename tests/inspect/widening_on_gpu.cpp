// Compiled by nvcc in the CUDA build, by g++ in every other.

#include "runtime/core/config.h"
#include "runtime/ufunc/vectorize.h"
#include "tests/inspect/widening_cases.h"

namespace cases {

namespace {
GS_FN float half_of(float x) { return static_cast<float>(0.1 * x); }
}  // namespace

template <class T>
GS_FN T on_gpu(T x) {
  return half_of(x) + x * x;
}

GS_FN long add_integers(long a, long b) { return a + b; }
constexpr auto ufunc = gs::vectorize<on_gpu<float>, add_integers>;

gs::type_report inspect_ufunc() { return gs::inspect_types(ufunc); }

gs::type_report inspect_on_gpu() { return gs::inspect_types<on_gpu<float>, half_of>(); }

}  // namespace cases
