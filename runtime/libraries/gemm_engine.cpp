// gemm on the engine: OpenBLAS computes tiles of C, one on each core, and oneTBB hands them out. OpenBLAS's own threads
// would spin for tens of milliseconds after each product, on cores that the next ufunc needs.
#include <cblas.h>

#include <algorithm>

#include "runtime/engine/cores.h"
#include "runtime/libraries/gemm_call.h"

namespace gs::inline GS_FLAVOUR {
namespace {

void multiply(const gemm_call<float>& g, int m, int n, const float* a, const float* b, float* c) {
  cblas_sgemm(CblasRowMajor, g.transpose_a ? CblasTrans : CblasNoTrans, g.transpose_b ? CblasTrans : CblasNoTrans, m, n,
              static_cast<int>(g.k), g.alpha, a, std::max(static_cast<int>(g.a_width), 1), b,
              std::max(static_cast<int>(g.b_width), 1), g.beta, c, static_cast<int>(g.n));
}
void multiply(const gemm_call<double>& g, int m, int n, const double* a, const double* b, double* c) {
  cblas_dgemm(CblasRowMajor, g.transpose_a ? CblasTrans : CblasNoTrans, g.transpose_b ? CblasTrans : CblasNoTrans, m, n,
              static_cast<int>(g.k), g.alpha, a, std::max(static_cast<int>(g.a_width), 1), b,
              std::max(static_cast<int>(g.b_width), 1), g.beta, c, static_cast<int>(g.n));
}

std::size_t pieces(std::size_t extent, std::size_t side) { return (extent + side - 1) / side; }

// Each tile packs the parts of A and B it reads, so tiles are as large as leaves every core one.
std::size_t tile_side(std::size_t m, std::size_t n) {
  constexpr std::size_t largest = 1024, smallest = 64;
  std::size_t side = largest;
  while (side > smallest && pieces(m, side) * pieces(n, side) < core_count()) side /= 2;
  return side;
}

template <class T>
void multiply_tiles(const gemm_call<T>& g) {
  openblas_set_num_threads(1);
  const std::size_t side = tile_side(g.m, g.n), across = pieces(g.n, side);
  for_pieces(pieces(g.m, side) * across, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t tile = begin; tile < end; ++tile) {
      const std::size_t i = tile / across * side, j = tile % across * side;
      multiply(g, static_cast<int>(std::min(side, g.m - i)), static_cast<int>(std::min(side, g.n - j)),
               g.a + (g.transpose_a ? i : i * g.a_width), g.b + (g.transpose_b ? j * g.b_width : j), g.c + i * g.n + j);
    }
  });
}

}  // namespace

void run_on_engine(const gemm_call<float>& call) { multiply_tiles(call); }
void run_on_engine(const gemm_call<double>& call) { multiply_tiles(call); }

}  // namespace gs::inline GS_FLAVOUR
