#include "bench/limits/bandwidth.h"
#include "bench/peers/peers.h"
#include "runtime/libraries/openblas.h"

namespace bench::peers {

void gemm(std::span<const float> a, std::span<const float> b, std::span<float> c, std::size_t side) {
  gs::detail::openblas().set_num_threads(static_cast<int>(limits::threads()));
  const auto n = static_cast<int>(side);
  gs::detail::openblas().sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, a.data(), n, b.data(), n, 0,
                               c.data(), n);
}

}  // namespace bench::peers
