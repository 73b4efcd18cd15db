// gemm on the engine: OpenBLAS computes tiles of C, one on each core, and oneTBB hands them out. OpenBLAS's own threads
// would spin for tens of milliseconds after each product, on cores that the next ufunc needs.
#include <algorithm>
#include <numeric>
#include <vector>

#include "runtime/host/cores.h"
#include "runtime/libraries/gemm_call.h"
#include "runtime/libraries/openblas.h"
#include "runtime/observe/observe.h"

namespace gs::inline GS_FLAVOUR::detail {
namespace {

auto function(const float*) { return openblas().sgemm; }
auto function(const double*) { return openblas().dgemm; }
auto dot_function(const float*) { return openblas().sdot; }
auto dot_function(const double*) { return openblas().ddot; }

std::size_t pieces(std::size_t extent, std::size_t side) { return (extent + side - 1) / side; }

// The rows or columns of a tile: `extent` in even pieces, whole vectors wide.
std::size_t tile_extent(std::size_t extent, std::size_t limit) {
  constexpr std::size_t vector = 16;
  return pieces(pieces(extent, pieces(extent, limit)), vector) * vector;
}

// Each tile packs the parts of A and B that it reads, so tiles are as large as they can be with one for every core.
std::size_t largest_side(std::size_t m, std::size_t n) {
  constexpr std::size_t largest = 1024, smallest = 64;
  std::size_t side = largest;
  while (side > smallest && pieces(m, side) * pieces(n, side) < core_count()) side /= 2;
  return side;
}

template <class T>
void multiply_tiles(const gemm_call<T>& g) {
  const auto integer = [](std::size_t n) { return static_cast<int>(n); };
  const auto width = [](std::size_t columns) { return static_cast<int>(std::max<std::size_t>(columns, 1)); };
  const auto operation = [](bool transpose) { return transpose ? CblasTrans : CblasNoTrans; };
  const auto multiply = function(g.c);
  openblas().set_num_threads(1);  // each time: other code in this program may have set another number
  const std::size_t side = largest_side(g.m, g.n);
  const std::size_t height = tile_extent(g.m, side), length = tile_extent(g.n, side),
                    tiles_per_row = pieces(g.n, length);
  for_pieces(pieces(g.m, height) * tiles_per_row, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t tile = begin; tile < end; ++tile) {
      const std::size_t i = tile / tiles_per_row * height, j = tile % tiles_per_row * length;
      multiply(CblasRowMajor, operation(g.transpose_a), operation(g.transpose_b), integer(std::min(height, g.m - i)),
               integer(std::min(length, g.n - j)), integer(g.k), g.alpha, g.a + (g.transpose_a ? i : i * g.a_width),
               width(g.a_width), g.b + (g.transpose_b ? j * g.b_width : j), width(g.b_width), g.beta,
               g.c + i * g.c_width + j, width(g.c_width));
    }
  });
}

// A row times a column: for gemm it would be one tile, on one core, most of whose time goes into packing. The pieces
// have the same length on every machine, so that their sum has the same bits.
template <class T>
void multiply_row_by_column(const gemm_call<T>& g) {
  constexpr std::size_t piece = std::size_t{1} << 16;
  const std::size_t step_a = g.transpose_a ? g.a_width : 1, step_b = g.transpose_b ? 1 : g.b_width;
  const auto dot = dot_function(g.c);
  openblas().set_num_threads(1);
  std::vector<T> sums(pieces(g.k, piece));
  for_pieces(sums.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      sums[i] = dot(static_cast<int>(std::min(piece, g.k - i * piece)), g.a + i * piece * step_a,
                    static_cast<int>(step_a), g.b + i * piece * step_b, static_cast<int>(step_b));
  });
  const T scaled_output = g.beta == T{0} ? T{0} : g.beta * *g.c;
  *g.c = g.alpha * std::accumulate(sums.begin(), sums.end(), T{0}) + scaled_output;
}

// The call reads and writes rows of `columns` elements that begin `width` apart.
template <class T>
void note_rows(void (*note)(const void*, std::size_t), const T* first, std::size_t rows, std::size_t columns,
               std::size_t width) {
  for (std::size_t i = 0; i < rows; ++i) note(first + i * width, columns * sizeof(T));
}
template <class T>
void note_accesses(const gemm_call<T>& g) {
  if (!instruments::watching()) return;
  instruments::name_work("gemm");
  if (g.alpha != T{0}) {
    note_rows(instruments::note_read, g.a, g.transpose_a ? g.k : g.m, g.transpose_a ? g.m : g.k, g.a_width);
    note_rows(instruments::note_read, g.b, g.transpose_b ? g.n : g.k, g.transpose_b ? g.k : g.n, g.b_width);
  }
  if (g.beta != T{0}) note_rows(instruments::note_read, g.c, g.m, g.n, g.c_width);
  note_rows(instruments::note_written, g.c, g.m, g.n, g.c_width);
}

template <class T>
void multiply(const gemm_call<T>& g) {
  note_accesses(g);
  if (g.m == 1 && g.n == 1 && g.alpha != T{0})
    multiply_row_by_column(g);
  else
    multiply_tiles(g);
}

}  // namespace

void run_on_engine(const gemm_call<float>& call) { multiply(call); }
void run_on_engine(const gemm_call<double>& call) { multiply(call); }

}  // namespace gs::inline GS_FLAVOUR::detail
